import { programs, type Program } from './program.ts'

/** Reads files and has no harmful option. */
const SHOWS = { does: 'read', operands: 'files', free: true } as const

const HASH: Program = {
  ...SHOWS,
  flags: 'bctwz',
  options: '--binary --check --quiet --status --strict --tag --text --warn --zero --ignore-missing',
}

/** Programs that print files or results computed from them. */
export const TEXT_READERS = programs({
  cat: {
    ...SHOWS,
    flags: 'AbeEnstTuv',
    options: '--number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs --squeeze-blank',
  },
  tac: { ...SHOWS, flags: 'br', options: '-s= --before --regex --separator=' },
  nl: {
    ...SHOWS,
    flags: 'p',
    options: `-b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering=
    --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=`,
  },
  rev: SHOWS,
  head: {
    ...SHOWS,
    flags: 'qvz',
    options: '-c= -n= --lines= --bytes= --quiet --silent --verbose --zero-terminated',
    shapes: /^-\d+[bkmcqv]*$/,
  },
  tail: {
    ...SHOWS,
    flags: 'fFqvz',
    options: `-c= -n= -s= --lines= --bytes= --follow? --retry --quiet --silent --verbose --sleep-interval= --max-unchanged-stats=
    --zero-terminated`,
    shapes: /^-\d+f?$/,
  },
  wc: { ...SHOWS, flags: 'cmlLw', options: '--bytes --chars --lines --words --max-line-length --total=' },
  cut: {
    ...SHOWS,
    flags: 'nsz',
    options: `-b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --only-delimited --output-delimiter= --complement
    --zero-terminated`,
  },
  tr: {
    ...SHOWS,
    operands: 'texts',
    flags: 'cCdst',
    options: '--complement --delete --squeeze-repeats --truncate-set1',
  },
  paste: { ...SHOWS, flags: 'sz', options: '-d= --delimiters= --serial --zero-terminated' },
  comm: {
    ...SHOWS,
    flags: '123z',
    options: '--check-order --nocheck-order --output-delimiter= --total --zero-terminated',
  },
  join: {
    does: 'read',
    operands: 'files',
    flags: 'iz',
    options: '-a= -e= -o= -t= -v= -j= -1= -2= --ignore-case --check-order --nocheck-order --header --zero-terminated',
  },
  fold: { ...SHOWS, flags: 'bs', options: '-w= --bytes --spaces --width=' },
  fmt: {
    does: 'read',
    operands: 'files',
    flags: 'cstu',
    options: '-w= -p= -g= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal=',
  },
  column: {
    does: 'read',
    operands: 'files',
    flags: 'txneLR',
    options: '-s= -N= -o= -c= -l= -H= -T= -W= --table --separator= --output-separator= --json',
  },
  expand: { ...SHOWS, flags: 'i', options: '-t= --initial --tabs=' },
  unexpand: { ...SHOWS, flags: 'a', options: '-t= --all --first-only --tabs=' },
  // The second file is an output.
  uniq: {
    does: 'read',
    operands: 'files',
    most: 1,
    flags: 'cdDiuz',
    options: `-f= -s= -w= --count --repeated --all-repeated? --group? --skip-fields= --skip-chars= --ignore-case --unique --check-chars=
    --zero-terminated`,
  },
  sort: {
    does: 'read',
    operands: 'files',
    flags: 'bcCdfghiMmnrRsuVz',
    options: `-k= -S= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting
    --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check? --debug --key= --merge
    --stable --buffer-size= --field-separator= --parallel= --batch-size= --unique --zero-terminated`,
    risky: '-o> -T@ --output> --temporary-directory@ --compress-program! --files0-from@ --random-source@',
  },
  base64: { does: 'read', operands: 'files', most: 1, flags: 'di', options: '-w= --decode --ignore-garbage --wrap=' },
  base32: { does: 'read', operands: 'files', most: 1, flags: 'di', options: '-w= --decode --ignore-garbage --wrap=' },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum': HASH,
  cksum: { does: 'read', operands: 'files', options: '-a= --algorithm=' },
  cmp: {
    does: 'read',
    operands: 'files',
    flags: 'bls',
    options: '-i= -n= --print-bytes --silent --quiet --verbose --bytes= --ignore-initial=',
  },
  diff: {
    does: 'read',
    operands: 'files',
    flags: 'abBcdeEinNpPqrstTuvwyZ',
    options: `-C= -F= -I= -L= -U= -W= -x= --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side
    --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab
    --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --exclude=
    --starting-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color?
    --palette= --from-file@ --to-file@ --tabsize=`,
    risky: '-l -X@ --paginate --exclude-from@',
    shapes: /^-\d+$/,
  },
  strings: {
    does: 'read',
    operands: 'files',
    flags: 'afw',
    options: '-n= -e= -t= -d --all --bytes= --radix= --encoding=',
  },
  hexdump: {
    does: 'read',
    operands: 'files',
    flags: 'bcCdovx',
    options: '-n= -s= -e= --canonical --length= --skip= --no-squeezing',
  },
  od: {
    does: 'read',
    operands: 'files',
    flags: 'abcdfilosvx',
    options:
      '-A= -j= -N= -S= -t= -w? --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates --width?',
  },
  // The second file is an output, and so is the result of -r. Options must precede the files.
  xxd: {
    does: 'read',
    operands: 'files',
    most: 1,
    optionsFirst: true,
    style: 'words',
    options: `-a -autoskip -b -bits -C -capitalize -d -e -E -EBCDIC -i -include -p -ps -postscript -plain -u -uppercase -v -version
    -c= -cols= -g= -groupsize= -l= -len= -n= -name= -o= -s= -seek= -R=`,
    risky: '-r -revert',
    shapes: /^-[cglos]\d+$/,
  },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd': {
    does: 'write',
    operands: 'files',
    flags: 'cdfhklnNqrtvV123456789',
    options: `--stdout --to-stdout --decompress --force --keep --list --no-name --name --quiet --recursive --test --verbose --fast
    --best`,
  },
  'zcat bzcat xzcat zstdcat': { does: 'read', operands: 'files', flags: 'fqv' },
})
