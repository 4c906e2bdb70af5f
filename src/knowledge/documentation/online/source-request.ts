import { type OnlineSource, addressesOf, type DocumentationSettings } from '../../../kernel/documentation-sources.ts'
import { configuredSecret, type SecretOf } from '../../../kernel/configured-secret.ts'
import { ToolError } from '../../../kernel/error.ts'
import { type SourceRequest, listIn, numberOf, retryAfter, textOf, type Fields } from './ask-source.ts'
import { issuesRequest } from './github-issues.ts'
import { stackRequest } from './stackoverflow.ts'
import { webRequest } from './web-search.ts'
import type { Found } from '../types.ts'
import { textOfHtml } from './html-text.ts'

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

/** Searches MDN. */
function mdnRequest(
  query: string,
  { address, locale }: { readonly address: string; readonly locale: string },
): SourceRequest {
  return {
    source: 'mdn',
    name: 'MDN',
    url: `${address}/api/v1/search?${new URLSearchParams({ q: query, locale })}`,
    read: answer => listIn(Object(answer).documents)?.flatMap(document => foundIn(document, address)),
    limit: retryAfter,
  }
}

function foundIn(document: Fields, address: string): Found[] {
  const path = textOf(document['mdn_url'])
  if (!path.startsWith('/')) return []
  const { body } = Object(document['highlight'])
  const passages = (Array.isArray(body) ? body : []).map(textOf).map(textOfHtml)
  return [
    {
      title: textOf(document['title']),
      text: [textOf(document['summary']).replace(/\s+/g, ' ').trim(), ...passages].filter(Boolean).join(' … '),
      url: `${new URL(address).origin}${path}`,
      quality: Math.min(1, 0.4 + numberOf(document['popularity']) * 100),
    },
  ]
}
