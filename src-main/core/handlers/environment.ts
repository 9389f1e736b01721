import type { Handlers } from '../../contract/index.ts';
import { doctor } from '../doctor.ts';
import type { Environment } from '../environment.ts';
import { buildImage, importImages, listImages } from '../images.ts';
import { about, licenceText } from './about.ts';
import { defined } from './defined.ts';
import { diskUse } from './disk-use.ts';
import { streamOf } from './stream-of.ts';

/** Lines of a build that nobody took in time. */
const MOST_LINES = 2_000;

type Names =
  | 'environment/doctor'
  | 'environment/images'
  | 'environment/importImage'
  | 'environment/buildImage'
  | 'environment/disk'
  | 'environment/clean'
  | 'about'
  | 'about/licence';

export function environmentHandlers(environment: Environment): Pick<Handlers, Names> {
  return {
    'environment/doctor': () => doctor(environment),
    'environment/images': () => listImages(environment),
    'environment/importImage': ({ file }) => importImages(environment, file),
    'environment/buildImage': (options, context) =>
      streamOf(
        async (tell: (item: { line: string }) => void) => ({
          reference: await buildImage(environment, {
            ...defined(options),
            onProgress: (line) => tell({ line }),
          }),
        }),
        { signal: context.signal, most: MOST_LINES },
      ),
    'environment/disk': (_input, { signal }) => diskUse(environment, signal),
    'environment/clean': async () => (await import('../clean.ts')).clean(environment),
    about: () => about(environment.config.home),
    'about/licence': licenceText,
  };
}
