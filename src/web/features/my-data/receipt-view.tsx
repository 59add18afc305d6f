import type { ReactNode } from 'react'
import type { ErasureReply, Receipt } from '../../../contract/rights.ts'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { labelOf } from './receipt-labels.ts'

/** Long enough for the browser to start reading. */
const REVOKE_AFTER_MS = 60_000
const KEYS_PATH = '/.well-known/parley-receipts.json'

const FILE_SENTENCES: Record<Receipt['files'], MessageText> = {
  overwritten: defineMessage('The text was overwritten in the database files too.'),
  pending: defineMessage('The database files will be overwritten within minutes.'),
  'left-to-the-database': defineMessage('The database overwrites its files during cleanup.'),
}

/** Shows what was deleted, and the signed receipt for download. */
export function ReceiptView({ reply }: { reply: ErasureReply }): ReactNode {
  const { receipt } = reply
  const counted = Object.entries(receipt.deleted).filter(([, count]) => count > 0)
  const save = () => {
    const address = URL.createObjectURL(new Blob([JSON.stringify(reply, null, 2)], { type: 'application/json' }))
    Object.assign(document.createElement('a'), { href: address, download: `receipt-${receipt.issuedAt.slice(0, 10)}.json` }).click()
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
  }
  return (
    <>
      <p role="status" className="done">
        <Icon name="check" /> {counted.length > 0 ? t('Deleted. We checked that nothing is left.') : t('There was nothing left to delete.')}
      </p>
      <p className="muted">{t.time(receipt.issuedAt, { dateStyle: 'long', timeStyle: 'medium' })}</p>
      {counted.length > 0 && (
        <dl className="counts">
          {counted.map(([kind, count]) => (
            <div key={kind}>
              <dt>
                <Told english={kind} />
              </dt>
              <dd>{t.number(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {receipt.stoppedAnswers > 0 && <p>{t('Answers in progress were stopped first.')}</p>}
      <p>{t(FILE_SENTENCES[receipt.files])}</p>
      <h3>{t('What we can’t delete')}</h3>
      <ul className="bullets">
        {receipt.outOfReach.map(({ what, why }) => (
          <li key={what}>
            <strong>
              <Told english={what} />
            </strong>
            <br />
            <Told english={why} />
          </li>
        ))}
      </ul>
      <div className="choices">
        <Button variant="outline" icon="down" onClick={save}>
          {t('Save receipt')}
        </Button>
        <Button variant="solid" onClick={() => showMyData(null)}>
          {t('Done')}
        </Button>
      </div>
      <HowToCheck />
    </>
  )
}

function Told({ english }: { english: string }): ReactNode {
  return (
    labelOf(english) ?? (
      <bdi lang="en" dir="ltr">
        {english}
      </bdi>
    )
  )
}

function HowToCheck(): ReactNode {
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        {t('How to verify the receipt later')}
      </summary>
      <div>
        <p>
          {t.with(
            'The receipt is signed with this site’s key. The public key is at {address}. Anyone with Node can verify that the receipt is genuine and unchanged. Save the key too if you want to verify it after this site is gone. Save the receipt as {file} and, in the same folder, run:',
            {
              address: (
                <a className="link" href={KEYS_PATH} target="_blank" rel="noopener" dir="ltr">
                  {KEYS_PATH}
                </a>
              ),
              file: <code dir="ltr">receipt.json</code>,
            },
          )}
        </p>
        <pre dir="ltr">
          <code>{checkCommand()}</code>
        </pre>
        <CopyButton text={checkCommand} label={t('Copy command')} />
      </div>
    </details>
  )
}

/** A command that verifies a saved receipt with Node 18 or later (RFC 7515, Ed25519). */
function checkCommand(): string {
  return `node --input-type=module -e '
import { readFileSync } from "node:fs"
import { createPublicKey, verify } from "node:crypto"
const { jws } = JSON.parse(readFileSync("receipt.json", "utf8"))
const { keys } = await (await fetch("${location.origin}${KEYS_PATH}")).json()
const [head, body, signature] = jws.split(".")
const read = (part) => JSON.parse(Buffer.from(part, "base64url"))
const key = keys.find(({ kid }) => kid === read(head).kid)
const good = key && verify(null, Buffer.from(head + "." + body),
  createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url"))
console.log(good ? read(body) : "", good ? "The receipt is genuine." : "The receipt is not genuine.")
'`
}
