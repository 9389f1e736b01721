/**
 * What nvidia-smi printed, as users showed it in public reports, cut to what our query asks for:
 * rows in the form of `--format=csv,noheader,nounits`. There is no such device where the tests run.
 * No names of machines or people are in them; UUIDs are made up.
 */
export interface Recorded {
  /** Where the text or its form comes from. */
  source: string;
  stdout: string;
  exitCode: number;
}

export const RECORDED = {
  oneCard: {
    source: 'form of the query: nvidia-smi --help-query-gpu; sizes of an RTX 4090 on driver 570',
    stdout:
      '0, GPU-5a1f0c1e-0000-4000-8000-000000000001, NVIDIA GeForce RTX 4090, 24564, 23981, 570.133.07, [N/A]\n',
    exitCode: 0,
  },
  twoCards: {
    source: 'as above, with a display on the first',
    stdout: [
      '0, GPU-5a1f0c1e-0000-4000-8000-000000000001, NVIDIA GeForce RTX 4090, 24564, 21034, 570.133.07, [N/A]',
      '1, GPU-6b2f0c1e-0000-4000-8000-000000000002, NVIDIA GeForce RTX 4090, 24564, 24145, 570.133.07, [N/A]',
      '',
    ].join('\n'),
    exitCode: 0,
  },
  unifiedMemory: {
    source: 'DGX Spark (GB10), driver 580: all memory columns are [N/A] (XuehaiPan/nvitop#208)',
    stdout:
      '0, GPU-7c3f0c1e-0000-4000-8000-000000000003, NVIDIA GB10, [N/A], [N/A], 580.173.02, [N/A]\n',
    exitCode: 0,
  },
  notSupported: {
    source: 'older drivers write [Not Supported], and 0 for memory shared with the processor',
    stdout: [
      '0, GPU-8d4f0c1e-0000-4000-8000-000000000004, Quadro K620, [Not Supported], [Not Supported], 470.256.02, [Not Supported]',
      '1, GPU-8d4f0c1e-0000-4000-8000-000000000005, Orin (nvgpu), 0, 0, 540.3.0, [N/A]',
      '',
    ].join('\n'),
    exitCode: 0,
  },
  divided: {
    source: 'A100 with mig.mode.current = Enabled (NVIDIA MIG user guide); the second is whole',
    stdout: [
      '0, GPU-9e5f0c1e-0000-4000-8000-000000000006, NVIDIA A100-SXM4-40GB, 40960, 40537, 550.90.07, Enabled',
      '1, GPU-9e5f0c1e-0000-4000-8000-000000000007, NVIDIA A100-SXM4-40GB, 40960, 40337, 550.90.07, Disabled',
      '',
    ].join('\n'),
    exitCode: 0,
  },
  lostOne: {
    source: 'one device off the bus: the handle line of nvidia-smi in place of its row',
    stdout: [
      'Unable to determine the device handle for GPU0000:01:00.0: Unknown Error',
      '1, GPU-af6f0c1e-0000-4000-8000-000000000008, NVIDIA GeForce RTX 3090, 24576, 24251, 550.90.07, [N/A]',
      '',
    ].join('\n'),
    exitCode: 15,
  },
  lostInRow: {
    source: 'after suspend: cells hold [GPU is lost] (ollama/ollama#5464 and reports like it)',
    stdout:
      '0, GPU-bf7f0c1e-0000-4000-8000-000000000009, NVIDIA GeForce RTX 3090, [GPU is lost], [GPU is lost], 550.90.07, [N/A]\n',
    exitCode: 0,
  },
  mismatch: {
    source: 'driver updated without a restart; both lines as in many reports',
    stdout:
      'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.133\n',
    exitCode: 18,
  },
  noModule: {
    source: 'kernel updated, module not built',
    stdout:
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n",
    exitCode: 9,
  },
  noDevices: {
    source: 'driver without a device',
    stdout: 'No devices were found\n',
    exitCode: 6,
  },
  unknownError: {
    source: 'container whose device group was taken away',
    stdout: 'Failed to initialize NVML: Unknown Error\n',
    exitCode: 255,
  },
} as const satisfies Record<string, Recorded>;
