import { workspaceConformance } from '../../../test/conformance/workspace.ts';
import { BUSYBOX_IMAGE, openBench, TEST_IMAGE } from '../../../test/support/workspaces.ts';

for (const image of [TEST_IMAGE, BUSYBOX_IMAGE]) {
  workspaceConformance(`Docker with ${image}`, async () => {
    const bench = await openBench();
    return { ...bench, open: (options) => bench.open({ image, ...options }) };
  });
}
