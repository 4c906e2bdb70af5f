import { ToolError } from '../../kernel/error.ts'
import { nearMiss } from '../../kernel/near-miss.ts'
import type { DocumentationSource } from '../../kernel/documentation-sources.ts'
import type { FailedSource } from './types.ts'

/** Describes the failure of one source. A defect of ours is not hidden behind it. */
export function failedSource(source: DocumentationSource, error: unknown): FailedSource {
  if (isStoreError(error)) return { source, code: 'unavailable', message: `Its index cannot be read: ${error.message}` }
  if (!(error instanceof ToolError)) throw error
  const { code, message, hint, details } = error
  const retryAt = details?.['retryAt']
  return {
    source,
    code: code === 'quota' || code === 'timeout' || code === 'denied' || code === 'unavailable' ? code : 'io',
    message: hint === undefined || code === 'io' || code === 'quota' ? message : `${message}. ${hint}`,
    ...(typeof retryAt === 'string' && { retryAt }),
  }
}

/** A source that takes no more requests until a time. */
export function limitError(name: string, until: number): ToolError {
  const retryAt = new Date(until).toISOString()
  return new ToolError('quota', `${name} takes no more requests until ${retryAt}`, {
    hint: 'Ask again after that, or ask other sources',
    details: { retryAt },
  })
}

/** A package that is not among the installed ones. */
export function notInstalled(name: string, installedNames: readonly string[]): ToolError {
  const lowerName = name.toLowerCase().replace(/^@[^/]*\//, '')
  const near = nearMiss(name, installedNames)
  const similarNames = installedNames.filter(each => lowerName.length > 1 && each.toLowerCase().includes(lowerName))
  const similar = [...new Set([...(near === undefined ? [] : [near]), ...similarNames])].slice(0, 5)
  return new ToolError('not_found', `The package '${name.slice(0, 200)}' is not installed here`, {
    hint:
      installedNames.length === 0
        ? 'Install the packages of this workspace first: it has no node_modules and no virtual environment'
        : similar.length > 0
          ? `Similar names are installed: ${similar.join(', ')}`
          : `Install it first, or leave the package out to search all ${installedNames.length} that are installed`,
  })
}

/** Reports whether SQLite failed: a full disk, or another process that holds the file for too long. */
const isStoreError = (error: unknown): error is Error =>
  error instanceof Error && Reflect.get(error, 'code') === 'ERR_SQLITE_ERROR'

/**
 * Returns why a search has nothing to show: `no_match` if every source answered, the sources' own code if all that
 * failed agree on it, else `io`.
 */
export function nothingFound(query: string, failures: readonly FailedSource[], notes: readonly string[]): ToolError {
  if (failures.length === 0)
    return new ToolError('no_match', `Nothing was found for '${query.slice(0, 200)}'`, {
      hint: ['Use fewer or other words, or ask other sources', ...notes].join('. '),
    })
  const codes = new Set(failures.map(({ code }) => (code === 'timeout' ? 'io' : code)))
  const [only = 'io'] = codes
  const summary = failures.map(({ source, message }) => `${source}: ${message}`).join('; ')
  const times = failures.map(({ retryAt }) => retryAt).filter(time => time !== undefined)
  return new ToolError(codes.size === 1 ? only : 'io', summary, {
    hint: times.length > 0 ? `Ask again after ${times.toSorted()[0]}` : 'Ask again later, or ask other sources',
    details: { failed: failures.map(({ source, code }) => ({ source, code })), ...(times[0] && { retryAt: times[0] }) },
  })
}
