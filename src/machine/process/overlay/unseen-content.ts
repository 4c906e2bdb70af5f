import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../../kernel/change.ts'
import { unifiedDiff, type FileSide } from '../../workspace/diff/diff.ts'
import { hashOf } from '../../workspace/disk.ts'
import { nameToBytes } from '../../workspace/name.ts'
import { join as joined, show } from '../../workspace/path.ts'
import type { LayerChange } from './layer-change.ts'
import {
  blobAt,
  keyOf,
  mistakenDirectory,
  newStoredPaths,
  replacedContent,
  storedBefore,
  type StoredPath,
} from './stored-paths.ts'
import { writeRepository } from './write-repository.ts'

interface ContentParts {
  readonly root: string
  /** Directory of ours in which the resulting repository is assembled. */
  readonly directory: string
  /** What earlier calls of the transaction changed in it: known, because it was judged. */
  readonly earlier: readonly LayerChange[]
  /** Directory of the repository's files, relative to the workspace. */
  readonly workTree: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reports whether a rule or a person must judge content at this path of the workspace. */
  readonly isJudged: (path: string) => boolean
  /** Returns a file or link of the workspace as the command left it. */
  readonly fileAt: (path: string) => FileSide | undefined
}

interface UnseenContent {
  /** What git would write at judged paths, as changes to them. */
  readonly changes: readonly Change[]
  /** Reason why the repository must not land. */
  readonly refused?: string
}

/** Content that is larger is not shown. */
const SHOWN_BYTES = 1024 ** 2

/**
 * Returns content that these changes under `.git` put at judged paths although neither the work tree nor the old
 * history has it there: the next checkout would write it.
 */
export function unseenContent(parts: ContentParts, changes: readonly LayerChange[]): UnseenContent {
  const { directory, workTree, env, isJudged, fileAt } = parts
  if (!changes.some(({ type, path }) => type === 'file' && !/^\.git\/(objects|COMMIT_EDITMSG)/.test(path))) return NONE
  const [place, placeBefore] = [join(directory, 'content'), join(directory, 'content-before')]
  try {
    writeRepository(parts.root, changes, place, false)
    if (parts.earlier.length > 0) writeRepository(parts.root, parts.earlier, placeBefore, false)
    const repositories = {
      before: parts.earlier.length > 0 ? placeBefore : parts.root,
      after: place,
      made: changes,
      env,
    }
    const replacement = replacedContent(repositories)
    if (replacement !== undefined)
      return { changes: [], refused: `because ${show(replacement)} puts other content in place of a file` }
    const mistaken = mistakenDirectory(repositories)
    if (mistaken !== undefined)
      return { changes: [], refused: `because the index gives ${show(mistaken)} another tree than its entries make` }
    const storedPaths = newStoredPaths(repositories)
    if (storedPaths === undefined)
      return { changes: [], refused: 'because git could not list what its new commits hold' }
    const judgedPaths = storedPaths
      .map(one => ({ ...one, at: joined(workTree, one.path) }))
      .filter(one => isJudged(one.at) && !isInTree(one, fileAt(one.at)))
    if (judgedPaths.length === 0) return NONE
    const stores = storedBefore(repositories, judgedPaths)
    const unseen = new Map(judgedPaths.filter(one => !stores.has(keyOf(one))).map(one => [keyOf(one), one]))
    return {
      changes: [...unseen.values()].map(one =>
        contentChange(one, fileAt(one.at), blobAt(repositories, one.id, SHOWN_BYTES)),
      ),
    }
  } finally {
    for (const one of [place, placeBefore]) rmSync(one, { recursive: true, force: true })
  }
}

const NONE: UnseenContent = { changes: [] }
const LINK = '120000'

function isInTree({ mode, id }: StoredPath, file: FileSide | undefined): boolean {
  if (file === undefined || (mode === LINK) !== Boolean(file.link)) return false
  const text = file.bytes
  // Git may store a text with other line ends than its file.
  return idOf(text, id.length) === id || idOf(withoutReturns(text), id.length) === id
}

const idOf = (bytes: Buffer, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')

const withoutReturns = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')

function contentChange(
  { at: path, mode, id }: StoredPath & { readonly at: string },
  before: FileSide | undefined,
  bytes: Buffer | undefined,
): Change {
  const isLink = mode === LINK
  const after = bytes && { bytes, mode: Number.parseInt(mode, 8) & 0o777, ...(isLink && { link: true }) }
  const diff = after ? unifiedDiff({ path, before, after }) : `# its content (${id}) is too large to show, or no file\n`
  return {
    path,
    kind: before ? 'change' : 'create',
    ...(before && { before: hashOf(before.bytes) }),
    after: bytes ? hashOf(bytes) : hashOf(nameToBytes(id) ?? Buffer.from(id)),
    ...(bytes && { bytes: bytes.length }),
    diff: () => `# ${show(path)} is not like this in the work tree, only in git: the next checkout writes it\n${diff}`,
  }
}
