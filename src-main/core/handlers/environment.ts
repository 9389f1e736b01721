import type { Handlers } from '../../contract/index.ts';
import { withHome } from '../../lib/index.ts';
import { doctor } from '../doctor.ts';
import type { Environment } from '../environment.ts';
import { BASE_IMAGE } from '../choose-image.ts';
import { buildImage, importImages, listImages } from '../images.ts';
import { about, licenceText } from './about.ts';
import { jobsOf } from '../jobs.ts';
import { defined } from './defined.ts';
import { diskUse } from './disk-use.ts';

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
    'environment/importImage': ({ file }, { signal }) =>
      importImages(environment, withHome(file), signal),
    'environment/buildImage': (options, context) =>
      jobsOf(environment).watch(
        {
          ...{ name: 'environment/buildImage', subject: options.tag ?? BASE_IMAGE, input: options },
          most: MOST_LINES,
          run: async (tell: (item: { line: string }) => void, signal) => ({
            reference: await buildImage(environment, {
              ...defined(options),
              signal,
              onProgress: (line) => tell({ line }),
            }),
          }),
        },
        context.signal,
      ),
    'environment/disk': (_input, { signal }) => diskUse(environment, signal),
    'environment/clean': async () => (await import('../clean.ts')).clean(environment),
    about: () => about(environment.config.home),
    'about/licence': licenceText,
  };
}
