import { GITHUB, readTarget } from './target.ts'

const ONLINE_SOURCES = ['stackoverflow', 'github', 'mdn', 'devdocs', 'web'] as const

/** Sources of documentation: what is installed in the workspace, and what is asked over the network. */
export const DOCUMENTATION_SOURCES = ['installed', ...ONLINE_SOURCES] as const

export type OnlineSource = (typeof ONLINE_SOURCES)[number]
export type DocumentationSource = (typeof DOCUMENTATION_SOURCES)[number]

/** A source at an address of its own, as configured; a key or token may be written as `$ENV.NAME`. */
interface SourceSettings {
  readonly url?: string | undefined
}

/** The configuration of documentation search. Every address has a default, except that of a SearXNG. */
export interface DocumentationSettings {
  /** Sources of a search that names none. */
  readonly sources?: readonly DocumentationSource[] | undefined
  /** How long an answer of a source is reused. */
  readonly cacheMinutes?: number | undefined
  readonly stackoverflow?:
    | (SourceSettings & { readonly site?: string | undefined; readonly key?: string | undefined })
    | undefined
  readonly github?: (SourceSettings & { readonly token?: string | undefined }) | undefined
  readonly mdn?: (SourceSettings & { readonly locale?: string | undefined }) | undefined
  readonly devdocs?:
    | (SourceSettings & { readonly documentsUrl?: string | undefined; readonly docs?: readonly string[] | undefined })
    | undefined
  readonly web?:
    | (SourceSettings & { readonly engine: 'searxng' | 'brave' | 'tavily'; readonly key?: string | undefined })
    | undefined
}

/** How long an answer of a source is used again unless configured. */
export const FRESH_MINUTES = 60

/** Addresses of the sources, without a final slash. */
export interface Addresses {
  readonly stackoverflow: string
  readonly github: string
  readonly mdn: string
  readonly devdocs: string
  readonly devdocsDocuments: string
  /** Undefined if no web search is configured. */
  readonly web: string | undefined
}

const WEB = { brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com', searxng: undefined } as const

export function addressesOf(settings: DocumentationSettings): Addresses {
  const { stackoverflow, github, mdn, devdocs, web } = settings
  const webAddress = web && (web.url ?? WEB[web.engine])
  return {
    stackoverflow: bare(stackoverflow?.url ?? 'https://api.stackexchange.com'),
    github: bare(github?.url ?? GITHUB),
    mdn: bare(mdn?.url ?? 'https://developer.mozilla.org'),
    devdocs: bare(devdocs?.url ?? 'https://devdocs.io'),
    devdocsDocuments: bare(devdocs?.documentsUrl ?? devdocs?.url ?? 'https://documents.devdocs.io'),
    web: webAddress === undefined ? undefined : bare(webAddress),
  }
}

/** Returns the sources of a search that names none. */
const usualSources = (settings: DocumentationSettings): readonly DocumentationSource[] =>
  settings.sources ?? documentationHere(settings)

/** What `docs` stands for: installed documentation, and DevDocs once the configuration names it. */
const documentationHere = ({ devdocs, sources }: DocumentationSettings): readonly DocumentationSource[] =>
  devdocs !== undefined || sources?.includes('devdocs') ? ['installed', 'devdocs'] : ['installed']

/** Returns the sources that a search asks, each once. */
export function sourcesOf(
  settings: DocumentationSettings,
  names: readonly string[] = usualSources(settings),
): readonly DocumentationSource[] {
  const here = names.includes('docs') ? documentationHere(settings) : []
  const all = new Set<string>([...names, ...here])
  return DOCUMENTATION_SOURCES.filter(source => all.has(source))
}

/** Returns the origins that these sources are asked at, for the claims of a call. */
export function originsOf(settings: DocumentationSettings = {}, names?: readonly string[]): readonly string[] {
  const { stackoverflow, github, mdn, devdocs, devdocsDocuments, web } = addressesOf(settings)
  const addresses: Readonly<Record<DocumentationSource, readonly (string | undefined)[]>> = {
    installed: [],
    stackoverflow: [stackoverflow],
    github: [github],
    mdn: [mdn],
    devdocs: [devdocs, devdocsDocuments],
    web: [web],
  }
  const addressesAsked = sourcesOf(settings, names)
    .flatMap(source => addresses[source])
    .filter(address => address !== undefined)
  return [...new Set(addressesAsked.map(address => readTarget(address).origin))]
}

const bare = (url: string): string => url.replace(/[?#].*$/, '').replace(/\/+$/, '')
