import type { Call, Metrics } from '../../kernel/contract.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { codeOf } from './codes.ts'
import { metricsFile } from './metrics-file.ts'
import { totalsOf } from './totals.ts'

/** One line for each call, as the document prints it; what failed says so by its code. */
export const metrics: Metrics = {
  file: metricsFile,
  line(call, component, outcome) {
    return {
      timestamp: outcome.meta.startedAt,
      component,
      tool: call.name,
      ...ofCall(call, outcome),
      ...(!outcome.ok && { error: codeOf(call, outcome.error) }),
      duration_ms: Math.round(outcome.meta.durationMs),
    }
  },
  totals: totalsOf,
}

function ofCall({ name, input }: Call, outcome: Outcome): Readonly<Record<string, unknown>> {
  const given = Object(input)
  const data = outcome.ok ? Object(outcome.data) : undefined
  if (name === 'queryIndex')
    return { query_type: Object(given['query'])['type'], ...(data && { results: data['files'].length }) }
  if (name === 'readFile')
    return {
      path: given['path'],
      ...(data && {
        size_bytes: data['size_bytes'],
        ...(data['truncated'] && { bytes_read: Buffer.byteLength(data['content']) }),
        ...(data['cached'] && { cached: true }),
      }),
    }
  return { directory: given['directory'], ...(data && { results: data['files'].length }) }
}
