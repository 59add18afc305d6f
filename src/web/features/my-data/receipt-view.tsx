import type { ReactNode } from 'react'
import type { ErasureReply, Receipt } from '../../../contract/rights.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from './save-file.ts'

const KEYS_PATH = '/.well-known/parley-receipts.json'

/** What was deleted, in words, and as a signed receipt to keep. */
export function ReceiptView({ reply }: { reply: ErasureReply }): ReactNode {
  const { receipt } = reply
  const counted = Object.entries(receipt.deleted).filter(([, count]) => count > 0)
  const save = () => saveFile(`receipt-${receipt.issuedAt.slice(0, 10)}.json`, 'application/json', JSON.stringify(reply, null, 2))
  return (
    <>
      <p role="status" className="done">
        <Icon name="check" /> {counted.length > 0 ? 'It is gone. A second look found nothing left.' : 'There was nothing left to delete.'}
      </p>
      <p className="muted">{new Date(receipt.issuedAt).toLocaleString('en', { dateStyle: 'long', timeStyle: 'medium' })}</p>
      {counted.length > 0 && (
        <dl className="counts">
          {counted.map(([kind, count]) => (
            <div key={kind}>
              <dt>{kind}</dt>
              <dd>{count.toLocaleString('en')}</dd>
            </div>
          ))}
        </dl>
      )}
      {receipt.stoppedAnswers > 0 && <p>Answers that were still being written were stopped first.</p>}
      <p>{fileSentence(receipt.files)}</p>
      <h3>What is out of our reach</h3>
      <ul className="bullets">
        {receipt.outOfReach.map(({ what, why }) => (
          <li key={what}>
            <strong>{what}.</strong> {why}
          </li>
        ))}
      </ul>
      <div className="choices">
        <Button look="outline" icon="down" onClick={save}>
          Save the receipt
        </Button>
        <Button look="solid" onClick={() => showMyData(null)}>
          Done
        </Button>
      </div>
      <HowToCheck />
    </>
  )
}

function fileSentence(files: Receipt['files']): string {
  switch (files) {
    case 'overwritten':
      return 'The text was overwritten in the database’s files too.'
    case 'pending':
      return 'The database’s files are overwritten within minutes.'
    case 'left-to-the-database':
      return 'The database overwrites its files when it cleans up.'
  }
}

function HowToCheck(): ReactNode {
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        How to check the receipt later
      </summary>
      <div>
        <p>
          It is signed with this installation’s key, whose public half is at{' '}
          <a className="link" href={KEYS_PATH} target="_blank" rel="noopener">
            {KEYS_PATH}
          </a>
          . Anyone who has Node can check that the receipt is genuine and unchanged. Save the key beside it if you want to check even when
          this site is gone. In the folder with the receipt, as <code>receipt.json</code>, run:
        </p>
        <pre>
          <code>{checkCommand()}</code>
        </pre>
        <CopyButton text={checkCommand} label="Copy the command" />
      </div>
    </details>
  )
}

/** Checks a saved receipt with nothing but Node (18 and later): RFC 7515, Ed25519. */
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
