/** A call in the form made for its tool. Paths and texts are the model's: hostile. */
export type CallView =
  | {
      form: 'read';
      path: string;
      /** `null`: numbers stand in the text, since some lines are left out. */
      firstLine: number | null;
      text: string;
      /** Everything of the result that is no numbered line. */
      notes: string[];
    }
  | { form: 'edit'; path: string; before: string; after: string; all: boolean; said: string }
  | { form: 'write'; path: string; text: string; said: string }
  | { form: 'glob'; pattern: string; folder: string | null; paths: string[]; notes: string[] }
  | { form: 'bash'; command: string; what: string | null; stdout: string; stderr: string }
  | { form: 'failed'; subject: string; arguments: string; said: string }
  | { form: 'other'; arguments: string; result: string };
