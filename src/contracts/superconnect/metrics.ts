import type { Call, Metrics } from '../../kernel/contract.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { codeOf } from './codes.ts'
import { metricsFile } from './metrics-file.ts'
import { totalsOf } from './totals.ts'

/** One line per call, as the document prints it; a failed call has its code. */
export const metrics: Metrics = {
  file: metricsFile,
  line(call, component, outcome, charged) {
    return {
      timestamp: outcome.meta.startedAt,
      component,
      tool: call.name,
      ...ofCall(call, outcome, charged),
      ...(!outcome.ok && { error: codeOf(call, outcome.error) }),
      duration_ms: Math.round(outcome.meta.durationMs),
    }
  },
  totals: totalsOf,
}

function ofCall(
  { name, input }: Call,
  outcome: Outcome,
  charged: number | undefined,
): Readonly<Record<string, unknown>> {
  const parameters = Object(input)
  const data = outcome.ok ? Object(outcome.data) : undefined
  if (name === 'queryIndex')
    return { query_type: Object(parameters['query'])['type'], ...(data && { results: data['files'].length }) }
  if (name === 'readFile') return { path: parameters['path'], ...(data && ofRead(data, charged)) }
  return { directory: parameters['directory'], ...(data && { results: data['files'].length }) }
}

/** Without `bytes_read`, the read was charged the whole size of the file. */
function ofRead(data: ReadAnswer, charged = Buffer.byteLength(data.content)): Readonly<Record<string, unknown>> {
  return {
    size_bytes: data.size_bytes,
    ...(charged !== data.size_bytes && { bytes_read: charged }),
    ...(data.cached && { cached: true }),
  }
}

interface ReadAnswer {
  readonly content: string
  readonly size_bytes: number
  readonly cached?: true
}
