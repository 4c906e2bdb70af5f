import { registerHooks } from 'node:module'

const ENTRIES: Readonly<Record<string, string>> = {
  toolwright: '../../src/index.ts',
  'toolwright/contracts': '../../src/contracts.ts',
  'toolwright/testing': '../../src/testing/index.ts',
}

/** Preloaded by tests: `toolwright` means the sources here, so that an example never runs against an old build. */
registerHooks({
  resolve(specifier, context, next) {
    const entry = ENTRIES[specifier]
    return next(entry === undefined ? specifier : new URL(entry, import.meta.url).href, context)
  },
})
