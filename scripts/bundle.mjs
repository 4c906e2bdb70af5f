// @ts-check
import { withNode } from './npm.mjs'
import { at, root } from './root.mjs'
import { run } from './run.mjs'
import { during, Stop } from './say.mjs'
import { isDone, once, stateOf } from './stamp.mjs'

const stamp = at('dist', '.stamp')
const sources = () =>
  stateOf([
    at('src'),
    at('console'),
    at('package.json'),
    at('package-lock.json'),
    at('scripts', 'build.ts'),
    at('scripts', 'build-console.ts'),
  ])

/**
 * Builds dist/ if a source changed since the last build.
 * @param {string} node
 */
export const bundle = node =>
  once(stamp, sources(), () =>
    during('Building', async () => {
      const { code, output } = await run(node, [at('scripts', 'build.ts')], { cwd: root, env: withNode(node) })
      if (code !== 0) throw new Stop(`The build failed:\n${output.trim()}`)
    }),
  )

/** Reports whether dist/ was built from the current sources. */
export const isBuilt = () => isDone(stamp, sources())
