/** One client, as the channel sees it: whole frames of text, whatever carries them. */
export interface Connection {
  /**
   * Hands a frame over. Resolves when it has left this process, or never will because the
   * connection is gone; never rejects. A client that does not read keeps it waiting.
   */
  send(frame: string): Promise<void>;
  /** Called once, before the first frame can come. */
  onMessage(listener: (frame: string) => void): void;
  /** Called once; told once, when nothing comes or goes any more. */
  onClose(listener: () => void): void;
  /** Ends it; `onClose` is told. */
  close(reason: string): void;
}
