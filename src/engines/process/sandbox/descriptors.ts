/** Where the descriptors of one launch are; a plain shell can redirect single digits only. */
export const ARGUMENTS = 3
export const SECCOMP = 4
export const INFO = 5
export const GATE = 6
export const STDERR = 8
/** Content for bubblewrap to copy goes from here on. */
export const CONTENT = 10

/** What the first program inside says when everything around it stands. */
export const ACK = 'ready'
