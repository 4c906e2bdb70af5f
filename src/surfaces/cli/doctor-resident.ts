import { join } from 'node:path'
import { notedUnparsed } from '../../knowledge/index/unparsed-note.ts'
import { connect } from '../../service/connect.ts'
import { ownBuild } from '../../service/own-build.ts'
import type { ResidentStatus } from '../../service/status.ts'
import { placeOf } from '../../service/place.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Toolkit } from '../../toolkit.ts'
import { formatBytes } from '../render/format-bytes.ts'
import type { Finding } from './doctor-finding.ts'

const ANSWER_MS = 5000

/** Reports whether a process holds the index of this workspace. None is not a failure. */
export async function resident({ state }: Toolkit): Promise<Finding[]> {
  const about = 'Resident'
  const line = await connect(placeOf(state.path, ownBuild()), ownBuild()).catch(silent)
  if (line instanceof ToolError)
    return [{ state: 'limited', about, text: [line.message, line.hint].filter(Boolean).join('. ') }]
  if (!line)
    return [
      { state: 'good', about, text: 'no process holds an index; searches read the files (toolwright up)' },
      ...unread(notedUnparsed(join(state.path, 'index'))),
    ]
  try {
    const { pid, memoryBytes, parts, processes } = await line.ask<ResidentStatus>(
      'status',
      {},
      { timeoutMs: ANSWER_MS },
    )
    const indexedParts = parts.map(part => `${part.name} of ${part.files} files (${part.state})`).join(', ')
    const text = `process ${pid} holds ${indexedParts || 'nothing yet'} in ${formatBytes(memoryBytes)}, for you alone`
    const answering = processes.map(
      ({ name, pid: server, memoryBytes: own }) => `${name} (process ${server}, ${formatBytes(own)})`,
    )
    const code = answering.length > 0 ? `; about code answer ${answering.join(', ')}` : ''
    return [{ state: 'good', about, text: text + code }, ...parts.flatMap(({ unparsed = [] }) => unread(unparsed))]
  } finally {
    line.close()
  }
}

const MOST_NAMED = 10

function unread(files: readonly { readonly path: string; readonly why: string }[]): Finding[] {
  if (files.length === 0) return []
  const examples = files.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`)
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''
  const text = `left out of the index because they could not be parsed: ${examples.join(', ')}${more}`
  return [{ state: 'limited', about: 'Files', text }]
}

function silent(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  throw error
}
