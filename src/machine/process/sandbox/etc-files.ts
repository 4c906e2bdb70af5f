import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from './places.ts'
import type { Situation } from './situation.ts'

interface Etc {
  /** Written by us: the host's own files would reveal its users and its network. */
  readonly own: Readonly<Record<string, string>>
  /** Single files of the host, unchanged. */
  readonly files: readonly string[]
  /** Directories of the host without secrets. */
  readonly directories: readonly string[]
  readonly links: Readonly<Record<string, string>>
}

const FILES = ['ld.so.cache', 'gitconfig', 'ssl/openssl.cnf', 'mime.types', 'services', 'protocols', 'os-release']
// Only the certificates of /etc/ssl: /etc/ssl/private belongs to root, and we may be root.
const DIRECTORIES = [
  'alternatives',
  'ssl/certs',
  'pki/ca-trust',
  'pki/tls/certs',
  'ca-certificates/extracted',
  'crypto-policies',
]

const etcByKey = new Map<string, Etc>()

/** Contents of /etc for a command. */
export function etcOf(situation: Situation): Etc {
  const key = `${situation.insideUid} ${situation.insideGid}`
  const etc = etcByKey.get(key) ?? lookedUp(situation)
  etcByKey.set(key, etc)
  return etc
}

function lookedUp(situation: Situation): Etc {
  const { insideUid: uid, insideGid: gid } = situation
  const present = (names: readonly string[]) => names.map(name => join('/etc', name)).filter(path => existsSync(path))
  const links = present(['localtime', 'os-release']).flatMap(path => {
    const target = linkTarget(path)
    return target === undefined ? [] : [[path, target] as const]
  })
  return {
    own: {
      '/etc/passwd': `root:x:0:0:root:/root:/bin/sh\nuser:x:${uid}:${gid}:user:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
      '/etc/group': `root:x:0:\nuser:x:${gid}:\nnogroup:x:65534:\n`,
      '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
      '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n',
    },
    files: present(FILES).filter(path => linkTarget(path) === undefined),
    directories: [...present(DIRECTORIES), ...javaSettings()],
    links: Object.fromEntries(links),
  }
}

/** Settings of a distribution's Java are links into /etc; it does not start without them. */
const javaSettings = (): string[] =>
  readdirSync('/etc')
    .filter(name => /^java-\d+-/.test(name))
    .map(name => join('/etc', name))

const linkTarget = (path: string): string | undefined => {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
