import type { Found } from '../types.ts'
import { listIn, numberOf, retryAfter, textOf, type Fields, type SourceRequest } from './ask-source.ts'
import { textOfHtml } from './html-text.ts'

/** Searches MDN. */
export function mdnRequest(
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
