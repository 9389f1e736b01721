import { type NextPart, nextParts } from '../../src-main/contract/index.ts';
import { placeOfCommand } from '../command-places.ts';
import { formatPlace } from '../navigation.ts';
import { componentsText } from '../text/en/components.ts';
import { visibleLine } from '../visible.ts';
import { VisibleText } from './visible-text.tsx';

/** What to do about something. A command in it is a link to where the app does the same. */
export function Remedy({ text }: { text: string }) {
  return (
    <>
      {nextParts(text).map((part, index) => (
        // Parts of one text never move, so their place is their key.
        // eslint-disable-next-line react/no-array-index-key
        <Part key={index} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { part: NextPart }) {
  if (part.kind === 'text') return <VisibleText text={part.text} />;
  const place = placeOfCommand(part.name, part.subject);
  if (place === null) {
    return (
      <code>
        <VisibleText text={part.text} />
      </code>
    );
  }
  const words = componentsText.commands[part.name];
  const subject = place.screen === 'model' && part.subject !== null ? ` ${part.subject}` : '';
  return (
    <a href={formatPlace(place)} title={visibleLine(part.text)}>
      {visibleLine(`${words}${subject}`)}
    </a>
  );
}
