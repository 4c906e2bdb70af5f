import { connect } from '../../engines/resident/connect.ts'
import { ownBuild } from '../../engines/resident/own-build.ts'
import type { ResidentStatus } from '../../engines/resident/part.ts'
import { placeOf } from '../../engines/resident/place.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Toolkit } from '../../toolkit.ts'
import { bytesInWords } from './bytes-in-words.ts'
import type { Finding } from './doctor-finding.ts'

const ANSWER_MS = 5000

/** Whether a process holds the index of this workspace; none is no failure. */
export async function resident({ state }: Toolkit): Promise<Finding[]> {
  const about = 'Resident'
  const line = await connect(placeOf(state.path, ownBuild()), ownBuild()).catch(silent)
  if (line instanceof ToolError)
    return [{ state: 'limited', about, text: [line.message, line.hint].filter(Boolean).join('. ') }]
  if (!line)
    return [{ state: 'good', about, text: 'no process holds an index; searches read the files (toolwright up)' }]
  try {
    const { pid, memoryBytes, parts, processes } = await line.ask<ResidentStatus>(
      'status',
      {},
      { timeoutMs: ANSWER_MS },
    )
    const held = parts.map(part => `${part.name} of ${part.files} files (${part.state})`).join(', ')
    const text = `process ${pid} holds ${held || 'nothing yet'} in ${bytesInWords(memoryBytes)}, for you alone`
    const answering = processes.map(
      ({ name, pid: server, memoryBytes: own }) => `${name} (process ${server}, ${bytesInWords(own)})`,
    )
    const code = answering.length > 0 ? `; about code answer ${answering.join(', ')}` : ''
    return [{ state: 'good', about, text: text + code }]
  } finally {
    line.close()
  }
}

function silent(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  throw error
}
