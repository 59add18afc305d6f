import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { embeddedIn, embeddedPackages } from '../scripts/release/embedded-packages.mjs'
import { isAccepted, noticesOf } from '../scripts/release/notices.mjs'
import { problemsOfRelease } from '../scripts/release/release-facts.mjs'
import { problemsOfSbom, sbomOf } from '../scripts/release/sbom.mjs'
import { shippedPackages } from '../scripts/release/shipped-packages.mjs'

const ROOT = join(import.meta.dirname, '..')

describe('what a release contains', () => {
  let packages: ReturnType<typeof shippedPackages>
  beforeAll(() => (packages = shippedPackages()))

  const partsOf = (name: string) => packages.find((entry) => entry.name === name)?.parts

  test.each([
    ['fastify', ['server']],
    ['katex', ['page']],
    ['react-dom', ['page', 'console']],
    ['@simplewebauthn/browser', ['console']],
    ['@simplewebauthn/server', ['server']],
    // In a worker, in the frame of diagrams, in the module for clients.
    ['@shikijs/langs', ['page']],
    ['@mermaid-js/tiny', ['page']],
    ['altcha-lib', ['server', 'page', 'client']],
    ['vitest', undefined],
    ['typescript', undefined],
  ])('knows which parts %s is in', (name, parts) => {
    expect(partsOf(name)).toEqual(parts)
  })

  describe('in its bill of materials', () => {
    let sbom: ReturnType<typeof sbomOf>
    beforeAll(() => (sbom = sbomOf(packages)))

    test('is complete, and nothing else', () => {
      expect(problemsOfSbom(sbom, packages)).toEqual([])
      expect(sbom.components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(
        packages.map(({ name, version }) => `${name}@${version}`).toSorted(),
      )
      expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application', name: 'parley' } } })
    })

    test('is the same for the same packages', () => {
      expect(sbomOf(packages)).toEqual(sbom)
    })

    test('has what packages contain', () => {
      const [contained] = sbom.components.find(({ name }) => name === 'unpdf')?.components ?? []
      expect(contained).toMatchObject({ name: 'pdfjs-dist', purl: 'pkg:npm/pdfjs-dist@6.1.200' })
    })

    test('is checked for gaps', () => {
      const components = sbom.components.filter(({ name }) => name !== 'fastify')
      const [first] = components
      const broken = { ...sbom, components: [{ ...first!, licenses: [] }, ...components.slice(1)] }
      const problems = problemsOfSbom(broken, packages)
      expect(problems).toContainEqual(expect.stringMatching(/^fastify .* is missing$/))
      expect(problems).toContainEqual(expect.stringMatching(/^fastify@/))
      expect(problems).toContain(`${first!.name} has no license, address or checksum`)
    })
  })

  test('has its license in the notices, with those of what packages contain', () => {
    const notices = noticesOf(packages, true)
    for (const { name, version } of packages) expect(notices).toContain(`\n${name} ${version} (`)
    for (const { in: name } of embeddedPackages()) expect(notices).toContain(`Inside ${name} `)
  })

  test('is served with the page, as far as the page contains it', () => {
    const notices = readFileSync(join(ROOT, 'dist/web/third-party-notices.txt'), 'utf8')
    expect(notices).toContain('react-dom 19')
    expect(notices).not.toContain('fastify 5')
  })
})

describe('the files of a release', () => {
  const facts = {
    version: '1.2.0',
    lockedVersion: '1.2.0',
    changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-24\n\n## [1.1.0] - 2026-10-01\n',
    chart: "apiVersion: v2\nname: parley\nversion: 1.2.0\nappVersion: '1.2.0'\n",
    compose: 'x-app: &app\n  image: parley:1.2.0\n',
    changes: '',
  }

  test('are complete', () => {
    expect(problemsOfRelease(facts)).toEqual([])
  })

  test.each([
    ['no semantic version', { version: '1.2', lockedVersion: '1.2' }, /not a semantic version/],
    ['another version in the lock file', { lockedVersion: '1.1.0' }, /package-lock\.json has the version 1\.1\.0/],
    ['another version of the chart', { chart: facts.chart.replace('version: 1.2.0', 'version: 1.1.0') }, /The chart's version is 1\.1\.0/],
    ['another version in the chart', { chart: facts.chart.replace("'1.2.0'", '1.1.0') }, /The chart's appVersion is 1\.1\.0/],
    ['a chart without a version', { chart: '' }, /The chart's version is undefined/],
    ['another image in the compose file', { compose: 'x-app: &app\n  image: parley\n' }, /The image of deploy\/compose\.yaml/],
    ['no section in the changelog', { changelog: '## [Unreleased]\n## [1.1.0] - 2026-10-01' }, /no section for 1\.2\.0/],
    ['a section without a date', { changelog: '## [1.2.0]\n' }, /no date for 1\.2\.0/],
    ['changes that are not committed', { changes: ' M README.md\n' }, /not committed/],
  ])('with %s are no release', (_, change, problem) => {
    expect(problemsOfRelease({ ...facts, ...change })).toContainEqual(expect.stringMatching(problem))
  })
})

describe('packages inside packages', () => {
  test.each(embeddedPackages())('are listed for the version of $in that is installed', ({ in: name, licenses }) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
    expect(embeddedIn({ name, version })?.components.length).toBeGreaterThan(0)
    expect(existsSync(join(ROOT, 'scripts/release/licenses', licenses))).toBe(true)
    expect(() => embeddedIn({ name, version: '0.0.1' })).toThrow(/bring it up to date/)
  })

  test('have the versions that the files name themselves', () => {
    const mermaid = readFileSync(join(ROOT, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'), 'utf8')
    const pdfjs = readFileSync(join(ROOT, 'node_modules/unpdf/dist/pdfjs.mjs'), 'utf8')
    const swagger = JSON.parse(readFileSync(join(ROOT, 'node_modules/@fastify/swagger-ui/package.json'), 'utf8'))
    expect(versionOf('dompurify')).toBe(/DOMPurify (\S+) \|/.exec(mermaid)?.[1])
    expect(versionOf('pdfjs-dist')).toBe(/apiVersion:`([^`]+)`/.exec(pdfjs)?.[1])
    expect(versionOf('swagger-ui-dist')).toBe(swagger.devDependencies['swagger-ui-dist'])
  })

  const versionOf = (name: string) =>
    embeddedPackages()
      .flatMap(({ components }) => components)
      .find((component) => component.name === name)?.version
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['(MIT AND Zlib)', true],
  ['(MIT AND GPL-3.0-only)', false],
  ['GPL-3.0-only', false],
  ['UNLICENSED', false],
  ['SEE LICENSE IN LICENSE', false],
])('a release may contain software under %s: %s', (license, accepted) => {
  expect(isAccepted(license)).toBe(accepted)
})
