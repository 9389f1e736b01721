import { html, type Html } from './html-text.ts';
import { REPORT_STYLE } from './report-style.ts';

/**
 * A page as one file for mail and archives: no script, nothing loaded, and a policy inside that would
 * forbid both.
 * @param style added to that of all reports
 */
export function reportPage(page: { title: string; style: string; body: Html }): Uint8Array {
  const { html: text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        <style>
          ${{ html: REPORT_STYLE + page.style }}
        </style>
      </head>
      <body>
        ${page.body}
      </body>
    </html> `;
  return Buffer.from(text);
}
