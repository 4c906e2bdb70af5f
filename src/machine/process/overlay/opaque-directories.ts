import { spawnSync } from 'node:child_process'
import { ToolError } from '../../../kernel/error.ts'
import { nameFromBytes, nameToBytes } from '../../workspace/name.ts'
import type { Layer } from './layer.ts'

const BLOCK = 512
const MARK = Buffer.from('SCHILY.xattr.user.overlay.opaque=y')
const MOST_OUTPUT = 1 << 30

/**
 * Returns the directories of an upper layer that hide everything below them. The kernel marks them with an extended
 * attribute, which Node cannot read but tar prints.
 */
export function opaqueDirectories(upper: Layer, directories: readonly string[]): ReadonlySet<string> {
  if (directories.length === 0) return new Set()
  const names = directories.map(path => nameToBytes(path) ?? Buffer.from(path))
  const input = Buffer.concat(names.flatMap(name => [Buffer.from('./'), name, Buffer.of(0)]))
  const { status, stdout, stderr } = spawnSync(
    'tar',
    [...OPTIONS, '-C', '/proc/self/fd/3', '-cf', '-', '--null', '-T', '-'],
    {
      input,
      stdio: ['pipe', 'pipe', 'pipe', upper.fd],
      maxBuffer: MOST_OUTPUT,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    },
  )
  if (status !== 0)
    throw new ToolError('unavailable', `The changes of the command cannot be read: tar failed (${words(stderr)})`, {
      hint: 'Install GNU tar with support for extended attributes',
    })
  return new Set(markedNames(stdout))
}

const OPTIONS = ['--xattrs', '--xattrs-include=user.overlay.opaque', '--format=posix', '--no-recursion']

const words = (stderr: Buffer | null): string =>
  String(stderr ?? 'it is not there')
    .trim()
    .slice(0, 300)

/** Yields the names in an archive whose extended header carries the mark. */
function* markedNames(archive: Buffer): Generator<string> {
  let extendedHeader: Buffer | undefined
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK)
    if (header[0] === 0) return
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8) || 0
    const body = archive.subarray(at + BLOCK, at + BLOCK + size)
    const type = header[156]
    if (type === 0x78) extendedHeader = body
    else {
      if (extendedHeader?.includes(MARK)) yield nameOf(header, extendedHeader)
      extendedHeader = undefined
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

function nameOf(header: Buffer, extended: Buffer): string {
  const bytes = longName(extended) ?? shortName(header)
  return nameFromBytes(bytes).replace(/^\.\//, '').replace(/\/$/, '')
}

function shortName(header: Buffer): Buffer {
  const text = (from: number, to: number): Buffer => {
    const field = header.subarray(from, to)
    const end = field.indexOf(0)
    return end < 0 ? field : field.subarray(0, end)
  }
  const prefix = text(345, 500)
  const name = text(0, 100)
  return prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name
}

/** Records are `LENGTH KEY=VALUE\n`. */
function longName(extended: Buffer): Buffer | undefined {
  for (let at = 0; at < extended.length;) {
    const space = extended.indexOf(0x20, at)
    const length = Number(extended.toString('latin1', at, space))
    if (!(length > 0)) return undefined
    const record = extended.subarray(space + 1, at + length - 1)
    if (record.subarray(0, 5).toString('latin1') === 'path=') return record.subarray(5)
    at += length
  }
  return undefined
}
