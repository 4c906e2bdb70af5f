import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineFacts } from './diagnose.ts'

const SETTINGS = [
  'kernel.unprivileged_userns_clone',
  'user.max_user_namespaces',
  'kernel.apparmor_restrict_unprivileged_userns',
]

/** Collects the facts for a diagnosis, after a failure. */
export function machineFacts(words: string | undefined): MachineFacts {
  const settings = SETTINGS.flatMap(name => {
    const value = read(join('/proc/sys', name.replaceAll('.', '/')))
    return value === undefined ? [] : [[name, value.trim()] as const]
  })
  const root = process.getuid?.() === 0
  return {
    words,
    settings: Object.fromEntries(settings),
    container: container(),
    filtered: /^Seccomp:\s*2/m.test(read('/proc/self/status') ?? ''),
    root,
    install: `${root ? '' : 'sudo '}${installer()}`,
  }
}

function container(): MachineFacts['container'] {
  if (process.env['KUBERNETES_SERVICE_HOST'] !== undefined) return 'kubernetes'
  if (existsSync('/run/.containerenv')) return 'podman'
  return existsSync('/.dockerenv') || /docker|containerd/.test(read('/proc/1/cgroup') ?? '') ? 'docker' : undefined
}

const INSTALLERS = [
  ['/usr/bin/apt-get', 'apt-get install -y'],
  ['/usr/bin/dnf', 'dnf install -y'],
  ['/usr/bin/pacman', 'pacman -S --noconfirm'],
  ['/usr/bin/zypper', 'zypper install -y'],
  ['/sbin/apk', 'apk add'],
] as const

const installer = (): string => INSTALLERS.find(([program]) => existsSync(program))?.[1] ?? 'apt-get install -y'

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
