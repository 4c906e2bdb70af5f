/** Facts about a machine on which a sandbox could not start. */
export interface MachineFacts {
  /** Output of bubblewrap; undefined if it is not installed. */
  readonly words: string | undefined
  /** Kernel settings by name; absent if this kernel has no such setting. */
  readonly settings: Readonly<Record<string, string>>
  readonly container: 'docker' | 'podman' | 'kubernetes' | undefined
  readonly filtered: boolean
  readonly root: boolean
  /** Install command of this system's package manager. */
  readonly install: string
}

export interface Diagnosis {
  readonly cause: string
  readonly fix: string
}

/** Returns why no sandbox works here, and the single fix. */
export function diagnose(facts: MachineFacts): Diagnosis {
  const { words, settings } = facts
  if (words === undefined) return { cause: 'bubblewrap is not installed', fix: `${facts.install} bubblewrap` }
  if (/unshare|setpriv|mount.*not found/.test(words) && /ENOENT|not found/.test(words))
    return { cause: `a program of util-linux is missing (${words.trim()})`, fix: `${facts.install} util-linux` }
  if (/mount(ing)? proc|mount proc/i.test(words)) return { cause: maskedCause(words), fix: maskedFix(facts.container) }
  const sysctl = (name: string, value: string) => `${facts.root ? '' : 'sudo '}sysctl -w ${name}=${value}`
  if (settings['kernel.unprivileged_userns_clone'] === '0')
    return {
      cause: 'the kernel forbids user namespaces to ordinary users (kernel.unprivileged_userns_clone=0)',
      fix: sysctl('kernel.unprivileged_userns_clone', '1'),
    }
  if (settings['user.max_user_namespaces'] === '0')
    return {
      cause: 'the kernel allows no user namespaces (user.max_user_namespaces=0)',
      fix: sysctl('user.max_user_namespaces', '15000'),
    }
  if (facts.container !== undefined)
    return {
      cause: `the ${facts.container} container forbids new namespaces or mounts (${words.trim()})`,
      fix: containerFix(facts.container),
    }
  if (settings['kernel.apparmor_restrict_unprivileged_userns'] === '1')
    return {
      cause:
        'AppArmor forbids user namespaces to programs without a profile (kernel.apparmor_restrict_unprivileged_userns=1)',
      fix: `${sysctl('kernel.apparmor_restrict_unprivileged_userns', '0')}, or give bwrap a profile: ${APPARMOR_PROFILE}`,
    }
  if (facts.filtered)
    return {
      cause: `a seccomp filter around this process forbids new namespaces (${words.trim()})`,
      fix: 'start it outside that filter; for a systemd unit: RestrictNamespaces=no',
    }
  return {
    cause: `bubblewrap could not start: ${words.trim()}`,
    fix: 'run toolwright doctor on the same machine outside of other sandboxes',
  }
}

const APPARMOR_PROFILE =
  'write `abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and run `apparmor_parser -r /etc/apparmor.d/bwrap`'

const maskedCause = (words: string): string =>
  `parts of /proc are masked here, as containers do, so that no new /proc can be mounted (${words.trim()})`

function maskedFix(container: MachineFacts['container']): string {
  if (container === 'kubernetes')
    return 'securityContext: { procMount: Unmasked } with hostUsers: false for the container'
  if (container === 'podman') return 'podman run --security-opt unmask=ALL …'
  return 'docker run --security-opt systempaths=unconfined …'
}

/** One refusal hides the next, so the fix names all that bubblewrap needs at once. */
function containerFix(container: NonNullable<MachineFacts['container']>): string {
  if (container === 'kubernetes')
    return 'securityContext: { seccompProfile: { type: Unconfined }, appArmorProfile: { type: Unconfined }, procMount: Unmasked } with hostUsers: false'
  if (container === 'podman') return 'podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …'
  return 'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined …'
}
