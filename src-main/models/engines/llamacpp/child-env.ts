import { allowedEnvironment } from '../shared/environment.ts';

/** The environment of the engine's process, by allow-list (S08). */
export function childEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return allowedEnvironment(env);
}
