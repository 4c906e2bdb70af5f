import type { OnlineSource } from '../../../kernel/documentation-sources.ts'
import { configuredSecret, type SecretOf } from '../../../kernel/configured-secret.ts'
import { ToolError } from '../../../kernel/error.ts'
import { addressesOf } from '../../../kernel/documentation-sources.ts'
import type { DocumentationSettings } from '../../../kernel/documentation-sources.ts'
import type { SourceRequest } from './ask-source.ts'
import { issuesRequest } from './github-issues.ts'
import { mdnRequest } from './mdn.ts'
import { stackRequest } from './stackoverflow.ts'
import { webRequest } from './web-search.ts'

/** The configuration of the sources, and where its keys come from. */
export interface KeyParts {
  readonly settings: DocumentationSettings
  readonly secretOf: SecretOf
  /** Learns every key before its use, so that no answer or record shows it. */
  learn(name: string, value: string): Promise<void>
}

/** Returns the request that asks a source. */
export async function requestTo(
  source: Exclude<OnlineSource, 'devdocs'>,
  query: string,
  parts: KeyParts,
): Promise<SourceRequest> {
  const at = addressesOf(parts.settings)
  const { stackoverflow, github, mdn, web } = parts.settings
  if (source === 'stackoverflow') {
    const key = await resolveKey(stackoverflow?.key, parts)
    return stackRequest(query, { address: at.stackoverflow, site: stackoverflow?.site ?? 'stackoverflow', key })
  }
  if (source === 'github')
    return issuesRequest(query, { address: at.github, token: await resolveKey(github?.token, parts) })
  if (source === 'mdn') return mdnRequest(query, { address: at.mdn, locale: mdn?.locale ?? 'en-US' })
  if (web && at.web !== undefined)
    return webRequest(query, { engine: web.engine, address: at.web, key: await resolveKey(web.key, parts) })
  throw new ToolError('unavailable', 'No web search is configured', {
    hint: 'Set `documentation.web` in your configuration: a SearXNG with its url, or Brave or Tavily with a key',
  })
}

async function resolveKey(written: string | undefined, { secretOf, learn }: KeyParts): Promise<string | undefined> {
  if (written === undefined) return undefined
  const readAndLearn: SecretOf = async name => {
    const value = await secretOf(name)
    if (value) await learn(name, value)
    return value
  }
  return configuredSecret(written, readAndLearn, 'The configuration')
}
