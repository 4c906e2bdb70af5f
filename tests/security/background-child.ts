import { openToolkit } from '../../src/toolkit.ts'

/** Starts a background command in a workspace and waits to be killed; a process of its own. */
const [root = '', command = ''] = process.argv.slice(2)
const kit = await openToolkit({ root, permissions: ['exec', 'fs:write:**'], effects: 'off' })
const { outcome } = await kit.run('run', { command, background: true })
console.log(outcome.ok ? 'started' : outcome.error.message)
setInterval(() => {}, 1000)
