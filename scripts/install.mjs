// @ts-check
import { npmCi } from './npm.mjs'
import { at, root } from './root.mjs'
import { during } from './say.mjs'
import { once, stateOf } from './stamp.mjs'

/**
 * Installs the repository's own dependencies when the lock file or package.json changed.
 * Node 24 must run this: an older one silently leaves out optional packages that ask for a newer Node.
 * @param {string} node
 */
export const install = node =>
  once(at('node_modules', '.toolwright-stamp'), stateOf([at('package.json'), at('package-lock.json')]), () =>
    during('Installing dependencies', () => npmCi(node, root)),
  )
