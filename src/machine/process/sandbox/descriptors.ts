/** Descriptor numbers of a launch. A plain shell can redirect only single digits. */
export const ARGUMENTS = 3
export const SECCOMP = 4
export const INFO = 5
/**
 * Carries setup errors, and our signal in the other direction that the command may begin. The command gets another
 * standard error.
 */
export const GATE = 2
/** Descriptors of the command's cgroups, if it enters on its own. */
export const CELLS: readonly number[] = [7, 9]
export const STDERR = 8
/** First descriptor for content that bubblewrap copies. */
export const CONTENT = 10

/** Sent by the first program inside when the sandbox is set up and it waits. */
export const STANDING = 'standing'
/** Sent to it when it may begin. */
export const ACK = 'ready'
