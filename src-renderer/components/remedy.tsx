import { formatPlace, type Place } from '../navigation.ts';
import { placesNamed } from '../remedies.ts';
import { componentsText } from '../text/en/components.ts';
import { visibleLine } from '../visible.ts';
import { VisibleText } from './visible-text.tsx';

/** What to do about something; where it names a command, also where in the app that is done. */
export function Remedy({ text }: { text: string }) {
  const places = placesNamed(text);
  return (
    <>
      <VisibleText text={text} />
      {places.length > 0 && (
        <>
          {' '}
          {componentsText.hereInApp}{' '}
          {places.map((place, index) => (
            <span key={formatPlace(place)}>
              {index > 0 && ', '}
              <a href={formatPlace(place)}>{placeWords(place)}</a>
            </span>
          ))}
        </>
      )}
    </>
  );
}

function placeWords(place: Place): string {
  const { places } = componentsText;
  if (place.screen === 'model') {
    const name = visibleLine(place.name);
    return place.tab === undefined ? name : places.modelPart(name, place.tab);
  }
  return place.screen === 'session' ? places.sessions : places[place.screen];
}
