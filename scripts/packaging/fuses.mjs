/** What the packaged program can no longer be told to do; see docs/packaging.md. */
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

/**
 * @param {string} platform of the package: `linux`, `darwin`, `win32`
 * @returns {import('@electron/fuses').FuseConfig}
 */
export function fuseConfig(platform) {
  return {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    // Electron checks it on these two only.
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform !== 'linux',
    resetAdHocDarwinSignature: platform === 'darwin',
  };
}

/**
 * @param {string} program file of the packaged program
 * @param {string} platform
 */
export async function setFuses(program, platform) {
  await flipFuses(program, fuseConfig(platform));
}
