// @ts-check
import { join } from 'node:path'
import { npmCi } from './npm.mjs'
import { at, root } from './root.mjs'
import { during } from './say.mjs'
import { once, stateOf } from './stamp.mjs'

/**
 * Installs the repository's own dependencies.
 * Node 24 must run this: an older one silently omits optional packages that require a newer Node.
 * @param {string} node
 */
export const install = node => installWhenChanged(node, root, 'Installing dependencies')

/**
 * Installs the client libraries and the public suite that the MCP server is tested with: a package of its own, because only tests need them.
 * @param {string} node
 */
export const installMcpClients = node =>
  installWhenChanged(node, at('tools', 'mcp-clients'), 'Installing MCP client libraries')

/**
 * Installs the model libraries that the adapters are checked with.
 * @param {string} node
 */
export const installModelLibraries = node =>
  installWhenChanged(node, at('tools', 'model-libraries'), 'Installing model libraries')

/**
 * Installs the ChromaDB server that the memory of fixes is tested with: 430 MB that only tests need.
 * @param {string} node
 */
export const installChroma = node => installWhenChanged(node, at('tools', 'chroma'), 'Installing a ChromaDB server')

/**
 * Installs a linter and a generator of clients for the OpenAPI document: 60 MB that only tests need.
 * @param {string} node
 */
export const installOpenApiTools = node =>
  installWhenChanged(node, at('tools', 'openapi'), 'Installing tools for the OpenAPI document')

/**
 * Installs a folder's dependencies when its lock file or package.json changed.
 * @param {string} node
 * @param {string} folder
 * @param {string} what
 */
const installWhenChanged = (node, folder, what) =>
  once(
    join(folder, 'node_modules', '.toolwright-stamp'),
    stateOf([join(folder, 'package.json'), join(folder, 'package-lock.json')]),
    () => during(what, () => npmCi(node, folder)),
  )
