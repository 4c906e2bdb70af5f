import { describe, expect, it } from 'vitest'
import { diagnose, type MachineFacts } from './diagnose.ts'

const machine: MachineFacts = {
  words: 'bwrap: No permissions to create new namespace',
  settings: {},
  container: undefined,
  filtered: false,
  root: false,
  install: 'sudo apt-get install -y',
}

describe('why there is no sandbox', () => {
  it.each<[string, Partial<MachineFacts>, RegExp, RegExp]>([
    ['no bubblewrap', { words: undefined }, /not installed/, /^sudo apt-get install -y bubblewrap$/],
    ['no util-linux', { words: 'spawnSync /usr/bin/setpriv ENOENT' }, /util-linux/, /install -y util-linux$/],
    [
      'Docker masks /proc',
      { words: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", container: 'docker' },
      /\/proc are masked/,
      /docker run --security-opt systempaths=unconfined/,
    ],
    [
      'Podman masks /proc',
      { words: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", container: 'podman' },
      /masked/,
      /unmask=ALL/,
    ],
    [
      'Kubernetes masks /proc',
      { words: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", container: 'kubernetes' },
      /masked/,
      /procMount: Unmasked/,
    ],
    [
      'a kernel that forbids them to users',
      { settings: { 'kernel.unprivileged_userns_clone': '0' } },
      /unprivileged_userns_clone=0/,
      /^sudo sysctl -w kernel.unprivileged_userns_clone=1$/,
    ],
    [
      'a kernel that allows none',
      { settings: { 'user.max_user_namespaces': '0' }, root: true },
      /max_user_namespaces=0/,
      /^sysctl -w user.max_user_namespaces=15000$/,
    ],
    [
      'AppArmor of Ubuntu',
      {
        words: 'bwrap: setting up uid map: Permission denied',
        settings: { 'kernel.apparmor_restrict_unprivileged_userns': '1', 'user.max_user_namespaces': '63000' },
      },
      /AppArmor/,
      /apparmor_restrict_unprivileged_userns=0.*\/etc\/apparmor\.d\/bwrap/,
    ],
    [
      'Docker forbids namespaces',
      { container: 'docker' },
      /docker container/,
      /seccomp=unconfined.*apparmor=unconfined.*systempaths=unconfined/,
    ],
    [
      'Kubernetes forbids namespaces',
      { container: 'kubernetes' },
      /kubernetes container/,
      /seccompProfile.*Unconfined/,
    ],
    ['a filter around us', { filtered: true }, /seccomp filter/, /RestrictNamespaces=no/],
    ['something else', { words: 'bwrap: something new' }, /something new/, /toolwright doctor/],
  ])('%s', (_, facts, cause, fix) => {
    const found = diagnose({ ...machine, ...facts })
    expect(found.cause).toMatch(cause)
    expect(found.fix).toMatch(fix)
  })
})
