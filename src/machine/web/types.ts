/** One page that is wanted. */
export interface FetchRequest {
  readonly url: string
  readonly method?: 'GET' | 'HEAD'
  /** Sent to the first origin only: any of them may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>
  /** For everything: finding the address, connecting, every redirect and the whole body. */
  readonly timeoutMs?: number
  /** The body is cut here while it is read, after unpacking. */
  readonly maxBytes?: number
  /** `text` turns HTML into Markdown; `raw` gives the body as it came. */
  readonly as?: 'text' | 'raw'
}

export interface Fetched {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** Without parameters, in lower case; empty where the server gave none. */
  readonly contentType: string
  /** Of the body as far as it was read, unpacked. */
  readonly bytes: number
  /** What the server said the body would be, packed or not. */
  readonly announcedBytes?: number
  readonly truncated: boolean
  /** What the text was read as, or `base64` for a raw body that is no text. */
  readonly encoding: string
  readonly content: string
  readonly title?: string
  readonly warnings: readonly string[]
}

export interface WebEngine {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>
}
