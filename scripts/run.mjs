// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 */

/**
 * Runs a program without input, and returns its output for a failure message.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const run = (program, args, options = {}) =>
  new Promise(resolve => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (/** @type {string} */ text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', error => resolve({ code: 127, output: error.message }))
    child.on('close', (code, signal) => resolve({ code: exitCode(code, signal), output }))
  })

/**
 * Runs a program on this terminal and returns its exit code.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<number>}
 */
export const handOver = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: 'inherit' })
    const stopForwarding = forwardSignals(child)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      stopForwarding()
      resolve(exitCode(code, signal))
    })
  })

/**
 * A terminal sends Ctrl-C to the child as well; the other signals reach only us and are passed on.
 * @param {import('node:child_process').ChildProcess} child
 */
const forwardSignals = child => {
  const wait = () => {}
  const terminate = () => child.kill('SIGTERM')
  const hangUp = () => child.kill('SIGHUP')
  process.on('SIGINT', wait).on('SIGTERM', terminate).on('SIGHUP', hangUp)
  return () => process.off('SIGINT', wait).off('SIGTERM', terminate).off('SIGHUP', hangUp)
}

/**
 * The exit code as a shell reports it: 128 plus the signal number for a killed child.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
const exitCode = (code, signal) => code ?? 128 + (signal ? constants.signals[signal] : 0)
