import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import type { LandedPart } from '../kernel/hunks.ts'
import { replaceText } from '../machine/text/edit/replace-text.ts'
import { spliceText } from '../machine/text/edit/splice-text.ts'
import { stricter } from '../machine/process/stricter-limits.ts'
import { applyPatch } from '../machine/text/patch/patch.ts'
import { writeText } from '../machine/text/write-text.ts'
import { acceptPart } from '../machine/workspace/accept-part.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import { newestUndo, undoPaths } from '../machine/workspace/commit/list-undo.ts'
import { undoTaskOperations } from '../machine/workspace/commit/undo-task.ts'
import { undoOperations } from '../machine/workspace/commit/undo.ts'
import type { Reading } from '../machine/workspace/open-reading.ts'
import { refuseRepository } from '../machine/workspace/refuse-repository.ts'
import { repositoryChange } from '../machine/workspace/repository-change.ts'
import { openWorkspace } from '../machine/workspace/open-workspace.ts'
import { openStage, type OpenStage } from '../machine/workspace/stage.ts'
import { stageOperations } from '../machine/workspace/stage-operations.ts'
import { createStaging, type Staging } from '../machine/workspace/staging.ts'
import type { Workspace } from '../machine/workspace/workspace.ts'
import type { FileEngine, TextEngine } from './engines.ts'
import { withLooks } from '../machine/workspace/grant.ts'
import type { Parts } from './parts.ts'
import { ensureShowable, ensureWritable } from './write-limits.ts'

/** What a call that changes files has besides reading them. */
export interface Writing {
  readonly text: Omit<TextEngine, 'read' | 'readOnce' | 'pdfPages'>
  readonly files: Pick<FileEngine, 'move' | 'remove' | 'makeDirectory' | 'undo'>
  readonly stage: OpenStage
  /** Returns what this call itself has staged. */
  changes(): readonly Change[]
  /** Leaves only the hunks that a person accepted, and returns what is left of each change. */
  accept(hunks: readonly number[]): readonly LandedPart[]
  /** Returns what landing the call, or the transaction that it commits, would change in the repository. */
  repository(): readonly Change[]
  /** Returns warnings about what this call staged. */
  warnings(): readonly string[]
  /** Returns the commits that the call undoes. */
  undoes(): string | readonly string[] | undefined
}

/** Opens the changes of one call, all of them staged. */
export function openWriting(parts: Parts, scope: CallScope, reading: Reading): Writing {
  const { root, store, memory, transactions } = parts
  const writeLimits = parts.writeLimits && stricter(...parts.writeLimits)
  const { claims, staging } = scope
  const grant = withLooks(claims)
  const warnings: string[] = []
  const warn = (warning: string) => void warnings.push(warning)
  const open = (layer: Staging, more: readonly Claim[] = []): Workspace =>
    openWorkspace(root, { ...scope, grant: [...grant, ...more], staging: layer, memory, warn })
  const ws = openWorkspace(root, { ...scope, grant, memory, warn }, reading)
  const stage = openStage(parts, open, scope)
  let undoes: string | readonly string[] | undefined
  return {
    text: {
      write: (path, content, options = {}) => writeText(ws, path, content, options),
      replace: (path, edits, options) => replaceText(ws, path, edits, options),
      splice: (path, splices) => spliceText(ws, path, splices),
      patch(diff, { check = false, ...options }) {
        // On a layer of its own, which a check drops and anything else keeps.
        const layer = createStaging(staging)
        const scratch = open(layer, check ? withWrites(claims) : [])
        const { files } = applyPatch(scratch, diff, options)
        const wholeDiff = scratch
          .changes()
          .map(change => change.diff())
          .join('')
        if (writeLimits) ensureShowable(writeLimits, wholeDiff)
        if (!check) layer.mergeDown()
        return { applied: !check, files, diff: wholeDiff }
      },
    },
    files: {
      move(from, to) {
        const answer = { from: ws.locate(from, { link: true }), to: ws.locate(to, { link: true }) }
        ws.move(from, to)
        return answer
      },
      remove(path) {
        const answer = { path: ws.locate(path, { link: true }) }
        ws.remove(path)
        return answer
      },
      makeDirectory: path => ws.makeDirectory(path),
      undo(target = newestUndo(store)) {
        const transaction = transactions.current()
        if (transaction)
          throw new ToolError('conflict', `Nothing can be undone inside transaction '${transaction.id}'`, {
            hint: 'Commit it or roll it back first',
          })
        if (target === undefined)
          throw new ToolError('not_found', 'There is nothing to undo', {
            hint: 'toolwright log shows what was done here',
          })
        const ids = parts.commitsOf(target)
        const paths = [...new Set(ids.flatMap(id => undoPaths(store, id)))]
        if (paths.includes('.git') && !claims.some(({ restores }) => restores))
          throw new ToolError('denied', `${target} changed the repository, and restoring it was not claimed`, {
            hint: 'A tool claims it with restores(...facts.undoPaths(id))',
          })
        const [only] = ids
        const operations =
          ids.length === 1 && only !== undefined
            ? undoOperations(root, store, only)
            : undoTaskOperations(root, store, ids)
        stageOperations(root, staging, operations)
        for (const warning of parts.leftBehind(target)) warn(warning)
        undoes = ids
        return { undone: target, paths }
      },
    },
    stage,
    changes() {
      if (staging.own().length > 0) refuseRepository(root, staging, undoes !== undefined)
      const changes = ws.changes()
      // Commands have been held to them while they ran.
      if (writeLimits && !claims.some(({ action }) => action === 'exec')) ensureWritable(writeLimits, changes)
      return changes
    },
    accept: hunks => stage.accept(hunks) ?? acceptPart(root, staging, hunks),
    repository: () => stage.repository() ?? repositoryChange(root, staging),
    warnings: () => warnings,
    undoes: () => undoes,
  }
}

/** A check runs on a layer that never lands, and needs no right to write. */
const withWrites = (claims: readonly Claim[]): readonly Claim[] =>
  claims.flatMap(({ action, resource }): Claim[] => (action === 'read' ? [{ action: 'write', resource }] : []))
