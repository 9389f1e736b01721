/** What a transport tells. After `onClose` it tells nothing more. */
export interface TransportEvents {
  onOpen(): void;
  onFrame(text: string): void;
  /** `refused`: the core knows this page no longer, so trying again is no use. */
  onClose(refused: boolean): void;
}

/** Carries whole frames of text; one connection, never opened again. */
export interface Transport {
  send(frame: string): void;
  /** `onClose` follows. */
  close(): void;
}

/** Opens one connection. Never throws: what fails ends in `onClose`. */
export type Connect = (events: TransportEvents) => Transport;
