/** Where the descriptors of one launch are; a plain shell can redirect single digits only. */
export const ARGUMENTS = 3
export const SECCOMP = 4
export const INFO = 5
/**
 * What complains while the sandbox is set up, and both ways: we say when the command may begin. The command itself gets
 * another one as its standard error.
 */
export const GATE = 2
/** The ways into the command's cgroups, where it goes by itself. */
export const CELLS: readonly number[] = [7, 9]
export const STDERR = 8
/** Content for bubblewrap to copy goes from here on. */
export const CONTENT = 10

/** What the first program inside says when everything around it stands, and it waits. */
export const STANDING = 'standing'
/** What it says when it may begin. */
export const ACK = 'ready'
