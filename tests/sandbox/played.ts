import type { Played } from './world.ts'

/** A machine where bubblewrap is not installed. */
export const withoutBubblewrap =
  'for place in /usr/bin /bin /usr/local/bin; do [ -x $place/bwrap ] && mount --bind /dev/null $place/bwrap; done'
/** A machine that masks parts of /proc, as Docker does. */
export const maskedProc =
  'mount -t tmpfs none /proc/acpi 2>/dev/null || mount -t tmpfs none /proc/bus; mount --bind /dev/null /proc/timer_list'

/** Plays a machine in a mount namespace of its own. */
export const playing = (script: string): Played => ({
  asRoot: ['unshare', '--mount', '/bin/sh', '-c', `${script}; exec "$@"`, 'sh'],
})
