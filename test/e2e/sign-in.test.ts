import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import { pausedText, openStage, type Stage, type Visitor, words } from './stage.ts'

let oidc: Awaited<ReturnType<typeof startOidcServer>>
let stage: Stage
const visitors: Visitor[] = []

// The page is at localhost and the provider at 127.0.0.1: another site, as in production.
beforeAll(async () => {
  oidc = await startOidcServer()
  stage = await openStage(await launchBrowser(), { ...oidc.env, OIDC_SCOPE: 'openid profile' })
  oidc.register(stage.server.url)
})
afterAll(async () => {
  await stage.close()
  await oidc.close()
})
afterEach(async () => {
  oidc.answerWith(null)
  for (const visitor of visitors.splice(0)) {
    expect(visitor.faults).toEqual([])
    await visitor.leave()
  }
})

let logins = 0
/** A login that no other test uses. */
const someone = () => `person-${(logins += 1)}`

async function enter(): Promise<Visitor> {
  const visitor = await stage.visitor()
  visitors.push(visitor)
  // The provider's own pages ask other hosts for fonts.
  await visitor.page.context().route(/googleapis|gstatic/, (route) => route.abort())
  await visitor.enter()
  return visitor
}

/** Completes the provider's forms. */
async function logIn({ page }: Visitor, login: string): Promise<void> {
  await page.waitForURL(`${oidc.issuer}/**`)
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function signIn(visitor: Visitor, login: string): Promise<void> {
  await visitor.button('Sign in').click()
  await logIn(visitor, login)
  await visitor.page.locator('.visitor', { hasText: `Name of ${login}Signed in` }).waitFor()
}

const history = ({ page }: Visitor) => page.getByRole('navigation', { name: 'Chat history' })
const hashOf = ({ page }: Visitor) => new URL(page.url()).hash
const cookiesOf = async ({ page }: Visitor) =>
  (await page.context().cookies(stage.server.url)).map(({ name, sameSite, httpOnly }) => `${name} ${sameSite} ${httpOnly}`).toSorted()

test('keeps the chats of this browser, returns to the open one, and finds them on another device', async () => {
  const [here, login] = [await enter(), someone()]
  await here.ask('Before signing in')
  const hash = hashOf(here)
  await signIn(here, login)
  expect(hashOf(here)).toBe(hash)
  await here.page.locator('article.human', { hasText: 'Before signing in' }).waitFor()
  await expect.poll(() => history(here).getByRole('link').allInnerTexts()).toEqual(['Before signing in'])
  await here.ask('After signing in')

  const there = await enter()
  await signIn(there, login)
  await history(there).getByRole('link', { name: 'Before signing in' }).click()
  await there.page.locator('article.human', { hasText: 'After signing in' }).waitFor()
  await there.page.reload()
  await there.page.locator('.visitor', { hasText: 'Signed in' }).waitFor()
})

test('the code stays in no address, and no cookie is available to other sites or scripts', async () => {
  const visitor = await enter()
  await signIn(visitor, someone())
  expect(hashOf(visitor)).toBe('#/chat')
  expect(await cookiesOf(visitor)).toEqual(['privacy-consent Lax false', 'visitor Strict true'])
  expect(await visitor.page.evaluate(() => [document.cookie, sessionStorage.length])).toEqual(['privacy-consent=true', 0])
  await visitor.page.goBack()
  await visitor.page.goForward()
  expect(visitor.page.url()).not.toMatch(/code=|state=/)
})

test('an answer that streams during sign-in continues and is complete', async () => {
  const visitor = await enter()
  const text = words(50)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await visitor.send('Count slowly')
  await visitor.answers.getByText('word8').waitFor()
  await signIn(visitor, someone())
  await visitor.answers.locator('.prose').waitFor()
  expect((await visitor.answers.locator('.prose').innerText()).trim().length).toBeLessThan(text.length)
  release()
  await visitor.button('Copy answer').waitFor()
  expect((await visitor.answers.locator('.prose').innerText()).trim()).toBe(text)
})

test('signing out removes the account’s data from this browser, and the account keeps it', async () => {
  const [visitor, login] = [await enter(), someone()]
  await signIn(visitor, login)
  await visitor.ask('For the account')
  await visitor.button('Sign out').click()
  await visitor.page.getByRole('button', { name: /Yes, sign me out/ }).click()
  await visitor.button('Sign in').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  await expect.poll(() => history(visitor).getByRole('link').count()).toBe(0)
  await expect.poll(() => visitor.page.locator('.visitor').count()).toBe(0)
  expect(await cookiesOf(visitor)).toEqual(['privacy-consent Lax false'])
  expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0)
  await signIn(visitor, login)
  await history(visitor).getByRole('link', { name: 'For the account' }).waitFor()
})

test('cancelling at the provider says that nothing changed, and the chat still works', async () => {
  const visitor = await enter()
  await visitor.ask('Stays mine')
  const hash = hashOf(visitor)
  await visitor.button('Sign in').click()
  await visitor.page.getByRole('link', { name: /Cancel/ }).click()
  await visitor.page.getByText('You didn’t sign in. Nothing changed.').waitFor()
  expect(hashOf(visitor)).toBe(hash)
  await history(visitor).getByRole('link', { name: 'Stays mine' }).waitFor()
  await expect.poll(() => visitor.page.locator('.visitor').innerText()).toMatch(/Not signed in/)
})

test('the Back button at the provider returns to a working page', async () => {
  const visitor = await enter()
  await visitor.button('Sign in').click()
  await visitor.page.waitForURL(`${oidc.issuer}/**`)
  await visitor.page.goBack()
  await expect.poll(() => visitor.button('Sign in').isEnabled()).toBe(true)
  await signIn(visitor, someone())
})

test('an unavailable provider shows a sentence beside the button, and everything else works', async () => {
  const visitor = await enter()
  await stage.server.restart()
  oidc.answerWith((_request, response) => response.destroy())
  await visitor.button('Sign in').click()
  await visitor.page.getByRole('alert').getByText('The sign-in service isn’t available right now.').waitFor()
  await visitor.ask('Goes on without')
  oidc.answerWith(null)
  await signIn(visitor, someone())
  await expect.poll(() => history(visitor).getByRole('link').allInnerTexts()).toEqual(['Goes on without'])
})

test('a part of the page that cannot be loaded affects nothing else, and loads when it can', async () => {
  const visitor = await stage.visitor()
  visitors.push(visitor)
  let asked = 0
  await visitor.page.route(/\/assets\/account-[^/]+\.js$/, (route) => {
    asked += 1
    return asked === 1 ? route.abort('connectionreset') : route.continue()
  })
  await visitor.enter()
  await visitor.ask('Without it')
  await visitor.button('Sign in').waitFor()
  expect(asked).toBe(2)
})

test('a link with an attacker’s authorization response signs nobody in', async () => {
  const victim = await enter()
  await victim.ask('Private')
  const begun = await fetch(`${stage.server.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const landing = await oidc.signIn(((await begun.json()) as { address: string }).address, 'attacker')
  await victim.page.goto(landing.href)
  await victim.page.getByRole('alert').getByText('Sign-in failed. Nothing changed. Try again.').waitFor()
  await history(victim).getByRole('link', { name: 'Private' }).waitFor()
  await expect.poll(() => victim.page.locator('.visitor').innerText()).toMatch(/Not signed in/)
})

test('before consent, the button asks for it, and nothing is sent', async () => {
  const visitor = await stage.visitor()
  visitors.push(visitor)
  await visitor.open()
  await visitor.button('Decline').click()
  await visitor.button('Sign in').click()
  await visitor.button('Read the full notice').click()
  await visitor.page.getByRole('dialog', { name: 'Before you start' }).getByText('Signing in').waitFor()
  expect(visitor.requests.filter((address) => /sign-in$|\/me$/.test(address))).toEqual([])
  expect(await cookiesOf(visitor)).toEqual(['privacy-consent Lax false'])
})
