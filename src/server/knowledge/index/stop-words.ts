import { plainWord } from '../../../text/word-forms.ts'

/** English function words of questions. */
export const ENGLISH_STOP_WORDS: readonly string[] = (
  'a about across actually along am among an and any anybody anyone anything are as at be because been being but by can cannot could d did didn do does ' +
  'doesn doing don done else ever every explain few for from go going got had has have having he hello her here hey hi him his how i ' +
  'if in into is isn it its just kindly let like ll m many may maybe me might more most much must my no not of on one only or other ' +
  'our out please quite re really s said say shall she should show so some somebody someone something such t tell than thank thanks ' +
  'that the their them then there these they thing things this those to too u under up ve very was way we well were what whats when ' +
  'where whether which while who whom whose why will with won would wouldn yes you your yours aren couldn shouldn during onto toward towards upon within'
).split(' ')

/** Words that are usually filler but sometimes the subject. They get a fraction of the weight. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  'after again all also ask each get getting give happen happens help know make mine need put use used using want without work works'.split(
    ' ',
  ),
)

/** The package's list of Lithuanian is damaged. */
export const LITHUANIAN_STOP_WORDS: readonly string[] =
  'ir yra kad su iš į už kaip tai bet ar apie nuo po iki per dėl prie kur kas kai jei bus ne taip pat arba jo jos jų mano kada kiek'.split(
    ' ',
  )

/** Those that an accent tells from words of other languages. */
export const VIETNAMESE_STOP_WORDS: readonly string[] =
  'là của và những nào gì đâu được các đã một không có ở từ với để này đó nhiêu vì thế như cái bị sẽ thì mà cũng rằng tại đến nhất việc đang nếu lúc mấy'.split(
    ' ',
  )

/** Function words of questions in languages whose script tells them apart: Korean, Japanese, Chinese, Thai, Arabic, Persian, Hebrew, Hindi. */
export const SCRIPT_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    '어디 어디서 어디에 어디에서 어디로 어디예요 어디인가요 어디입니까 어디죠 언제 언제까지 언제부터 언제인가요 언제입니까 언제예요 얼마 얼마나 얼마예요 얼마인가요 얼마입니까 ' +
    '무엇 무엇을 무엇이 뭐 뭐가 뭘 무슨 어떤 어떻게 누가 누구 왜 몇 수 것 것은 것이 거 때 그 이 저 저는 나는 제가 내가 제 내 좀 및 또는 그리고 있나요 있습니까 있어요 있습니다 있는 있을까요 ' +
    '없나요 하나요 합니까 하면 해야 되나요 됩니까 된 될까요 할 하는 하려면 되는 인가요 입니까 입니다 예요 이에요 알려 알려주세요 주세요 싶어요 싶습니다 싶은데요 대해 대한 ' +
    'あの あり ある い いう います いる う え お か から が き くださ ください ここ こちら こと この これ ご さ し しい した して しま す する すれ せ せん そこ その それ た たい だ たら って つ て で でき できる でしょ ' +
    'です では と という とき どう どうし どこ どちら どの どれ どんな な ない なに なる なん に の は ば へ べき ほし ほしい ま まし ます まで み も もの や やっ よ よう より ら り る れ を ん いつ いくら 何 誰 方 教え 知り ' +
    '的 了 是 在 和 吗 呢 吧 啊 我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 什么 怎么 怎样 如何 哪里 哪儿 哪 哪个 哪些 谁 何 何时 何处 时候 多少 几 几点 多久 为什么 请 请问 可以 能 能否 要 想 ' +
    '需要 应该 有 没有 会 被 把 与 及 或 到 从 对 就 都 也 还 很 吗 之 所 其 于 以 由 該 嗎 這 個 們 什麼 怎麼 哪裡 誰 時候 為什麼 請 請問 可 想要 知道 ' +
    'ที่ ที่ไหน ไหน อยู่ อยู่ที่ เมื่อ เมื่อไร เมื่อไหร่ อะไร อย่างไร ยังไง เท่าไร เท่าไหร่ กี่ ใคร ทำไม หรือ หรือไม่ ไหม มั้ย คะ ครับ ค่ะ นะ ได้ ไม่ มี เป็น คือ และ ของ ใน จาก ถึง ให้ กับ ก็ จะ ต้อง ขอ ช่วย ฉัน ผม ดิฉัน นี้ นั้น ซึ่ง ว่า แล้ว ไร บ้าง โดย เพื่อ ' +
    'في من الى على عن مع هل ما ماذا متى اين كيف كم لماذا اي من هو هي هم انا نحن انت هذا هذه ذلك تلك الذي التي الذين ان لا لم لن قد كان كانت يكون تكون او ثم حتى اذا كل بعد قبل عند بين فيه فيها منه له لها بها به يمكن يمكنني ' +
    'استطيع اريد اود هناك يوجد توجد يجب عليك علي لي لك ايضا غير و ب ل ف ' +
    'از به با در بر برای تا را که این آن چه چی کی کجا کجاست چگونه چطور چرا چقدر چند کدام آیا است هست هستند بود شد شود می‌شود میشود می نمی باید باشد دارد دارم داریم دارید دارند ندارد کنم کنیم کنید کند می‌کنم می‌توانم میتوانم می‌توان توان ' +
    'می‌خواهم خواهم من ما شما او آنها و یا هم نیز هر یک های ها ای یی تر ترین چیست کیست لطفا ' +
    'של את על אל עם אם מה מי מתי איפה היכן איך כיצד למה מדוע כמה איזה איזו אילו האם הוא היא הם הן אני אנחנו אתה את אתם זה זו זאת אלה יש אין לא כן גם או כי אבל רק עד מן אפשר ניתן צריך צריכה יכול יכולה רוצה לי לך לו לה לנו שלי שלך כל לאן מאיפה היה היתה ' +
    'का की के को से में पर ने है हैं हूँ हूं था थे थी हो होता होती होते होगा होगी क्या कब कहाँ कहां कैसे कौन कौनसा कौनसी किस किसे किसको कितना कितनी कितने क्यों किधर और या तो ही भी यह वह ये वे मैं मुझे मुझको मेरा मेरी मेरे हम हमें आप आपका आपकी आपके आपको इस उस इन उन जो ' +
    'कि तक लिए लिये साथ करें करना करने करते करता करती करूँ करूं किया की करे कीजिए कर सकते सकता सकती सकें सकूँ चाहिए चाहता चाहती चाहते मिलता मिलती मिलते मिलेगा मिलेगी जाता जाती जाते गया गयी गई गए जाए जाएगा रहा रही रहे कोई कुछ अपना अपनी अपने नहीं न द्वारा एक कृपया बताएं बताइए'
  )
    .split(' ')
    .filter((word) => word !== 'कर')
    .map(plainWord),
)
