import type { IncomingHttpHeaders } from 'node:http'

/** A requested page. */
export interface FetchRequest {
  readonly url: string
  readonly method?: 'GET' | 'HEAD' | 'POST'
  /** Sent only to the first origin, since any may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>
  /** JSON sent with `POST`, to the first address only: a redirect of it is refused. */
  readonly body?: string
  /** Covers everything: name lookup, connection, every redirect and the whole body. */
  readonly timeoutMs?: number
  /** Cuts the body here while reading, after decompression. */
  readonly maxBytes?: number
  /** `text` turns HTML into Markdown; `raw` returns the body unchanged. */
  readonly as?: 'text' | 'raw'
}

export interface Fetched {
  /** Final address after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Without parameters, in lower case; empty if the server sent none. */
  readonly contentType: string
  /** Size of the body as read and decompressed. */
  readonly bytes: number
  /** Size announced by the server, compressed or not. */
  readonly announcedBytes?: number
  readonly truncated: boolean
  /** Encoding of the text, or `base64` for a raw body that is not text. */
  readonly encoding: string
  readonly content: string
  readonly title?: string
  readonly warnings: readonly string[]
}

export interface WebEngine {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>
}
