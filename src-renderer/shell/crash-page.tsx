import { useContext, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code/code-block.tsx';
import { browserPlatform } from '../platform/browser.ts';
import { ServicesContext } from '../services.ts';
import { shellText } from '../text/en/shell.ts';
import styles from './crash-page.module.css';
import { crashLog } from './crash-log.ts';

/** What a person sees instead of a blank page. Uses as little as possible of what may be broken. */
export function CrashPage({ error, where }: { error: unknown; where: string }) {
  const services = useContext(ServicesContext);
  // Once: the time of the crash, not of a later drawing.
  const [log] = useState(() =>
    crashLog(error, where, {
      at: new Date(),
      hash: location.hash,
      agent: navigator.userAgent,
    }),
  );
  const save = () => {
    const saveFile = services?.platform.saveFile ?? browserPlatform().saveFile;
    void saveFile?.(shellText.crash.logName, new TextEncoder().encode(log));
  };
  return (
    <div className={styles.page} role="alert">
      <h1>{shellText.crash.title}</h1>
      <p>{shellText.crash.words}</p>
      <div className={styles.actions}>
        <Button variant="primary" icon="retry" onPress={() => location.reload()}>
          {shellText.crash.reload}
        </Button>
        <Button icon="download" onPress={save}>
          {shellText.crash.save}
        </Button>
      </div>
      <details>
        <summary>{shellText.crash.details}</summary>
        <CodeBlock text={log} label={shellText.crash.details} wrap />
      </details>
    </div>
  );
}
