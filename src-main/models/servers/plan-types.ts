export type {
  Gpu,
  Machine,
  MemoryComparison,
  MemoryEstimate,
  ServerPlan,
} from '../../contract/index.ts';
