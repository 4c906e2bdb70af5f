import { fileConcern } from '../concern.ts'
import { programs, type Check } from './program.ts'

/** Accepts modes for owner, group and others, but no set-id bits. */
const mode: Check = text => {
  const isMode = /^[0-7]{3}$|^0[0-7]{3}$|^[ugoa]*[-+=][rwxX]+(,[ugoa]*[-+=][rwxX]+)*$/.test(text)
  return isMode || !/^[0-7]+$|[-+=]/.test(text) ? undefined : 'it may let a file run as another user'
}

/** The operands of dd: `if=`, `of=` and so on. */
const block: Check = text => {
  const [, name = '', value = ''] = /^(\w+)=([^]*)$/.exec(text) ?? []
  if (name === 'if' || name === 'of') return fileConcern(value)
  return /^(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|status)$/.test(name) ? undefined : `${text} is not known`
}

const WRITES = { does: 'write', operands: 'files' } as const

/**
 * Programs that write. A rule for one of them allows writing to files of the workspace that the line names. Files
 * elsewhere, and options that run something, still ask.
 */
export const WRITERS = programs({
  cp: {
    ...WRITES,
    flags: 'abdfiHlLnpPrRsTuvx',
    options: `-t@ --archive --force --interactive --no-clobber --recursive --update? --parents --no-target-directory
    --target-directory@ --preserve? --attributes-only --verbose --dereference --no-dereference --link --symbolic-link`,
    risky: '-S= -Z --suffix= --backup? --context?',
  },
  mv: {
    ...WRITES,
    flags: 'bfinTuv',
    options: '-t@ --force --interactive --no-clobber --update? --no-target-directory --target-directory@ --verbose',
    risky: '-S= -Z --suffix= --backup? --context?',
  },
  ln: {
    ...WRITES,
    flags: 'bfinrsTv',
    options: '--symbolic --force --relative --no-dereference --verbose',
    risky: '-t@ -S=',
  },
  install: {
    ...WRITES,
    flags: 'bcCdDpTv',
    options: '-m= -t@ --directory --compare --preserve-timestamps --target-directory@ --mode= --verbose',
    risky: '-s -o= -g= -S= --strip --strip-program! --owner= --group= --suffix=',
    checks: { '-m': mode, '--mode': mode },
  },
  touch: {
    ...WRITES,
    flags: 'acfhm',
    options: '-d= -t= -r@ --date= --no-create --no-dereference --reference@ --time=',
  },
  mkdir: { ...WRITES, flags: 'pv', options: '--parents --verbose', risky: '-m= -Z --mode= --context?' },
  rmdir: { ...WRITES, flags: 'pv', options: '--parents --ignore-fail-on-non-empty --verbose' },
  rm: {
    ...WRITES,
    flags: 'dfiIrRv',
    options: '--force --recursive --interactive? --dir --one-file-system --preserve-root? --verbose',
    risky: '--no-preserve-root',
  },
  tee: { ...WRITES, flags: 'aip', options: '--append --ignore-interrupts --output-error?' },
  dd: { does: 'write', operands: 'texts', check: block },
  chmod: {
    does: 'write',
    operands: 'texts',
    check: text => mode(text) ?? fileConcern(text),
    flags: 'Rcfv',
    options: '--recursive --changes --quiet --silent --verbose',
    risky: '--reference@ --no-preserve-root',
    shapes: /^-[rwx]+$/,
  },
  truncate: { ...WRITES, flags: 'co', options: '-s= -r@ --size= --no-create --io-blocks --reference@' },
  split: {
    ...WRITES,
    flags: 'deux',
    options: `-a= -b= -C= -l= -n= -t= --bytes= --lines= --line-bytes= --number= --numeric-suffixes? --hex-suffixes? --suffix-length=
    --additional-suffix= --elide-empty-files --separator= --unbuffered --verbose`,
    risky: '--filter!',
  },
  csplit: {
    does: 'write',
    operands: 'text-then-files',
    flags: 'kqsz',
    options:
      '-b= -f= -n= --prefix= --suffix-format= --digits= --keep-files --quiet --silent --elide-empty-files --suppress-matched',
  },
})
