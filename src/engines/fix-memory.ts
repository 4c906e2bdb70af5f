import type { Egress } from '../kernel/egress.ts'
import { configuredSecret, type SecretOf } from '../kernel/configured-secret.ts'
import type { ChromaStoreOptions } from '../knowledge/memory/chroma/chroma-store.ts'
import type { EmbedderChoice } from '../knowledge/memory/embed/open-embedder.ts'
import type { Fix } from '../knowledge/memory/fix.ts'
import type { Embedder, FixStore } from '../knowledge/memory/types.ts'
import type { Network } from '../machine/web/network.ts'

/** Where past fixes are kept and what embeds them, as configured. */
export interface FixSettings {
  readonly chroma?: (ChromaStoreOptions['place'] & { readonly token?: string | undefined }) | undefined
  readonly embedder?: EmbedderChoice | undefined
}

/** How the memory reaches servers during one call. */
interface FixAccess {
  readonly network: Network | 'system' | 'none'
  readonly egress: Egress
  /** Longest wait for one answer of a server. */
  readonly requestMs: number
}

/** The past fixes of a user. */
export interface FixMemory {
  open(access: FixAccess): Promise<FixStore>
  /** Returns the best past fix of a failure, if one is good enough and found before `signal` aborts. */
  pastFix(failure: string, access: FixAccess, how: HintSearch): Promise<Fix | undefined>
  close(): Promise<void>
}

interface HintSearch {
  /** Time by `performance.now()` when the answer goes without a hint. */
  readonly dueAt: number
  readonly signal: AbortSignal
  /** The process ends with this answer, so no model is loaded for it. */
  readonly wordsOnly: boolean
}

interface FixParts {
  /** The file of the embedded store. */
  readonly file: string
  readonly settings: FixSettings
  /** Replaces secrets in a text that is stored or embedded. */
  readonly redact: (text: string) => string
  readonly secretOf: SecretOf
  /** Replaces the store. */
  readonly store?: FixStore | undefined
}

/** Opens the memory; a store and the embedder are opened with the first question. */
export function openFixMemory({ file, settings, redact, secretOf, store: injectedStore }: FixParts): FixMemory {
  const { chroma, embedder: choice } = settings
  const revealSecret = (text: string): Promise<string> =>
    configuredSecret(text, secretOf, 'The memory', { memory: 'store_unreachable' })
  let embedder: Promise<Embedder> | undefined
  let embeddedStore: Promise<FixStore> | undefined
  const openEmbedder = (access: FixAccess): Promise<Embedder> =>
    (embedder ??= import('../knowledge/memory/embed/open-embedder.ts').then(each =>
      each.openEmbedder(choice, { ...configuredAccess(access), reveal: revealSecret }),
    ))
  const openEmbedded = async (access: FixAccess): Promise<FixStore> => {
    const [{ openEmbeddedStore }, textEmbedder] = await Promise.all([
      import('../knowledge/memory/embedded/embedded-store.ts'),
      openEmbedder(access),
    ])
    return openEmbeddedStore({ file, embedder: textEmbedder, redact })
  }
  const memory: FixMemory = {
    async open(access) {
      if (injectedStore) return injectedStore
      if (!chroma) return (embeddedStore ??= openEmbedded(access))
      const { token, ...place } = chroma
      const [{ openChromaStore }, textEmbedder, secret] = await Promise.all([
        import('../knowledge/memory/chroma/chroma-store.ts'),
        openEmbedder(access),
        token === undefined ? undefined : revealSecret(token),
      ])
      return openChromaStore({
        ...configuredAccess(access),
        place,
        token: secret,
        embedder: textEmbedder,
        redact,
        requestMs: access.requestMs,
      })
    },
    async pastFix(failure, access, how) {
      const { bestPastFix, hasFixes } = await import('../knowledge/memory/past-fix.ts')
      if (!injectedStore && !chroma && !hasFixes(file)) return undefined
      const store = await memory.open(access)
      return how.signal.aborted ? undefined : bestPastFix(store, failure, how)
    },
    async close() {
      const localStore = await embeddedStore?.catch(() => undefined)
      await localStore?.close()
      const textEmbedder = await embedder?.catch(() => undefined)
      await textEmbedder?.close()
    },
  }
  return memory
}

/** The user's own configuration names the servers, which may be on this machine. */
const configuredAccess = ({ network, egress }: FixAccess): Pick<FixAccess, 'network' | 'egress'> => ({
  network,
  egress: {
    verdict: egress.verdict,
    refuses: (target, address) => egress.refuses({ ...target, isNamed: true }, address),
  },
})
