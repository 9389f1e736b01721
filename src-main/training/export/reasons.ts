/** Why attempts are in no row, as people read it. */
export const COPIED = "all of it is the beginning of another attempt's";
export const DUPLICATE = 'duplicate';
export const NOT_JSON = 'a call whose arguments are no JSON object';
export const OVER_CAP = 'over the cap of its task';
export const SAID_NOTHING = 'the model said nothing';
export const TASK_GONE = 'its task is gone or was changed since';
