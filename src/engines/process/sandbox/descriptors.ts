/** Where the descriptors of one launch are; a plain shell can redirect single digits only. */
export const ARGUMENTS = 3
export const SECCOMP = 4
export const INFO = 5
/**
 * What complains while the sandbox is set up, and both ways: we say when the command may begin. The command itself gets
 * another one as its standard error.
 */
export const GATE = 2
/** The way into the command's cgroup, where it goes by itself. */
export const CELL = 7
export const STDERR = 8
/** Content for bubblewrap to copy goes from here on. */
export const CONTENT = 10

/** What the first program inside says when everything around it stands. */
export const ACK = 'ready'
