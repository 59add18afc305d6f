/** @see https://semver.org, without build metadata */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\da-z-]+(?:\.[\da-z-]+)*)?$/i

/**
 * @typedef {object} ReleaseFacts
 * @property {string} version Of package.json.
 * @property {string} lockedVersion Of package-lock.json.
 * @property {string} changelog Text of CHANGELOG.md.
 * @property {string} chart Text of the Helm chart's Chart.yaml.
 * @property {string} compose Text of deploy/compose.yaml.
 * @property {string} changes Output of `git status --porcelain`.
 */

/**
 * Sentences that say what keeps these files from being a release.
 *
 * @param {ReleaseFacts} facts
 * @returns {string[]}
 */
export function problemsOfRelease({ version, lockedVersion, changelog, chart, compose, changes }) {
  const problems = []
  if (!VERSION.test(version)) problems.push(`package.json has the version ${version}, which is not a semantic version.`)
  if (lockedVersion !== version) problems.push(`package-lock.json has the version ${lockedVersion}: run npm install.`)
  for (const name of ['version', 'appVersion']) {
    const value = new RegExp(`^${name}: ['"]?([^'"\\n]+)`, 'm').exec(chart)?.[1]
    if (value !== version) problems.push(`The chart's ${name} is ${value}: set it to ${version} in deploy/helm/parley/Chart.yaml.`)
  }
  if (!compose.includes(`  image: parley:${version}\n`))
    problems.push(`The image of deploy/compose.yaml is of another version: write image: parley:${version}.`)
  const section = changelog.split('\n').find((line) => line.startsWith(`## [${version}]`))
  if (!section) problems.push(`CHANGELOG.md has no section for ${version}: give the unreleased changes this heading, with the date.`)
  else if (!/\] - \d{4}-\d\d-\d\d$/.test(section))
    problems.push(`CHANGELOG.md has no date for ${version}: write ## [${version}] - YYYY-MM-DD.`)
  if (changes.trim() !== '') problems.push('There are changes that are not committed: commit or discard them.')
  return problems
}
