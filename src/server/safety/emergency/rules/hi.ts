import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'फिनाइल|फिनायल|हार्पिक|तेजाब|एसिड|ब्लीच|डिटर्जेंट|साबुन|सफाई|केरोसिन|मिट्टी का तेल|पेट्रोल|थिनर|पेंट|कीटनाशक|चूहे मार|चूहामार|चूहे की दवा|जहर|ज़हर|मशरूम|बेरी|गोली|गोलियां|गोलियाँ|दवा|दवाई|दवाइयां|नींद की|पैरासिटामोल|बैटरी|सेल|चुंबक|निकोटीन|गोंद|शराब|सैनिटाइजर|इंसुलिन|नशा|धतूरा|सल्फास|नेल पॉलिश|केमिकल|phenyl|harpic|tezab|acid|bleach|detergent|kerosene|petrol|keetnashak|kitnashak|chuhe mar|zeher|zehar|jahar|goli|goliyan|goliya|dawai|dawa |tablet|sulfas|battery|mushroom|neend ki|sanitizer|pesticide'

export const HI: PhraseRules = {
  self_harm: [
    '!आत्महत्या_कर|आत्महत्या_करना|आत्महत्या_करने|खुदकुशी_कर|खुद_को_मार|खुद को खत्म|ख़ुद_को_मार|अपनी_जान|जान_दे_दू|जान_देने|जान दे दूंग|फांसी_लगा|फाँसी_लगा|नस_काट|नसें_काट|कलाई_काट|ज़िंदगी_खत्म|जिंदगी_खत्म|जीवन_समाप्त|सब_खत्म_कर|सब ख़त्म कर|खुद_को_नुकसान|खुद_को_काट|अपने_आप_को_मार|suicide_kar|khudkushi|aatmahatya|atmahatya|khud ko maar|khud ko khatam|apni jaan|jaan de du|fansi laga|phansi laga|nas kaat|zindagi khatam|sab khatam kar',
    '!जीना_नहीं_चाह|जीना नहीं है|नहीं_जीना|मरना_चाह|मर_जाना_चाह|मरना_है|मर_जाऊ|मर जाना है|जीने_का_मन_नहीं|जीने_की_इच्छा_नहीं|अब_नहीं_जी|सुसाइड_नोट|आखिरी_चिट्ठी|आखिरी_मैसेज|अलविदा_कह|jeena nahi|jina nahi|marna chaht|mar jana|marna hai|mar jau|jeene ka man nahi|nahi jeena|nahi jina|suicide note|alvida',
    '!कूद|छलांग|kood|kud |chalang + पुल|छत|बालकनी|खिड़की|ट्रेन|पटरी|नदी|मंजिल|bridge|chhat|chat |balcony|train|pul |nadi|khidki',
    '!छत|पुल|पटरी|chhat|pul |patri + खड़ा|खड़ी|बैठा|बैठी|khada|khadi|baith + अलविदा|कूद|रो रह|मर|बचा|kood|kud|ro rah|mar|bacha',
    'अब_नहीं_सह|सहन_नहीं|थक_गय|ab nahi seh|bardasht nahi|thak gay + जीना|मर|जान|गोली|अलविदा|जिंदगी|jeena|jina|mar |goli|zindagi|alvida',
  ],
  poisoning: [
    `!पी लि|पी_ली|पी गय|पी लिया|निगल|खा लि|खा_ली|खा गय|पिया|चाट|सूंघ|ले ली|ले लि|खाई|खाए|pi liya|pee liya|pi li|kha liya|kha li|nigal|piya|le li |khayi|khaye|pi gay|kha gay|kha ke|drank|swallow + ${POISON}`,
    '!ओवरडोज|ओवरडोज़|जहर_चढ़|जहर_फैल|विषाक्त|फूड पॉइजनिंग|overdose|poisoning ho + हो|गय|बच्च|पापा|मम्मी|भाई|बहन|पति|पत्नी|दोस्त|हम|मैं|ho|gay|bacch|papa|mummy|bhai|dost|sab',
    '!गैस_लीक|गैस की गंध|गैस_की_बदबू|गैस रिस|gas leak|gas ki smell|gas ki badbu + घर|चक्कर|किचन|रसोई|सिर|बेहोश|ghar|chakkar|kitchen|sir|behosh|sab|अभी|abhi',
    '!मुंह_से_झाग|मुँह से झाग|muh se jhaag|munh se jhag|jhaag',
  ],
  acute_illness: [
    '!सांस_नहीं|साँस_नहीं|सांस_लेने_में|साँस_लेने_में|सांस_रुक|साँस_रुक|सांस_फूल|दम_घुट|सांस अटक|गले में अटक|गले_में_फंस|saans nahi|sans nahi|saans lene me|sans lene me|saans ruk|dam ghut|saans phool|sans phul|gale me atak|gale me phas',
    '!सीने_में_दर्द|सीने_में_तेज|छाती_में_दर्द|छाती में तेज|सीने_में_जकड़|सीने_में_भारी|सीने_में_दबाव|छाती में भारी|सीने_में_जलन_और|seene me dard|sine me dard|chhati me dard|chest pain|chati me dard|seene mein dard|chhati mein dard|sine mein dard|seene me tez',
    'दिल_का_दौरा|हार्ट अटैक|हार्ट_अटैक|लकवा|स्ट्रोक|heart attack|stroke|lakwa|dil ka daura + लग रहा|अभी|आया है|आ रहा|मदद|जल्दी|aa raha|aaya hai|abhi|lag raha|jaldi|madad|help|ho raha',
    '!बेहोश|होश_नहीं|होश में नहीं|होश_नहीं_आ|जवाब_नहीं_दे|हिल_नहीं|हिल नहीं रह|उठ_नहीं_रह|आंख_नहीं_खोल|नब्ज_नहीं|गिर_पड़|अचानक गिर|behosh|hosh nahi|hosh me nahi|jawab nahi de|hil nahi|uth nahi rah|aankh nahi khol|nabz nahi|gir pad|achanak gir',
    '!दौरे_पड़|दौरा_पड़ रह|मिर्गी|अकड़ रह|ऐंठ|झटके_आ|daure pad|mirgi|akad rah|jhatke aa + बच्च|मिनट|रह|अभी|मदद|पापा|भाई|उस|bacch|minute|rah|abhi|help|usko|bhai|बेट',
    '!खून_बह|खून बंद नहीं|खून_नहीं_रुक|खून_निकल|बहुत_खून|खून की उल्टी|khoon bah|khoon nahi ruk|bahut khoon|khun bah|khoon nikal|khoon band nahi|khun nikal|khoon ki ulti',
    '!मुंह_टेढ़ा|चेहरा_टेढ़ा|मुँह टेढ़ा|चेहरे_का_एक|बोल_नहीं_पा|आवाज_लड़खड़ा|ज़ुबान लड़खड़ा|जुबान_लड़खड़ा|हाथ_सुन्न|हाथ_नहीं_उठ|हाथ_पैर_सुन्न|आधा शरीर|एक_तरफ|muh tedha|munh tedha|chehra tedha|bol nahi pa|haath sunn|hath sunn|haath nahi uth|aadha sharir|zuban ladkhada',
    '!एलर्जी|मधुमक्खी|ततैया|allergy|madhumakhi + गला|जीभ|सूज|सांस|gala|jeebh|sooj|suj|saans|chehra|चेहरा',
    '!होंठ_नीले|नीला_पड़|नीली_पड़|नीले पड़|honth neele|neela pad|nila pad|neele pad',
    'प्रसव|लेबर पेन|पानी_छूट|पानी की थैली|delivery hone|labour pain|labor pain|pani chhut + अभी|मिनट|अकेल|मदद|अस्पताल|abhi|minute|akel|help|hospital|jaldi|दर्द|dard|बच्चा|जल्दी',
    '!गिर_गय|गिर गए|एक्सीडेंट|टक्कर|दब_गय|फंस_गय|gir gay|accident|takkar|dab gay|phas gay + खून|होश|हिल|सांस|सिर|चोट|दब|मदद|khoon|hosh|hil|saans|sir |chot|help|madad|bacha',
    '!डूब|करंट_लग|बिजली का झटका|जल_गय|उबलता|सांप_ने_काट|साँप_ने_काट|सांप ने डस|सांप_काट लि|बिच्छू|लू_लग|doob|dub gay|current lag|jal gay|saanp ne kaat|sanp ne kaat|saap ne kaat|saanp ne das|bichhu|loo lag + बच्च|उस|मुझ|पापा|मदद|अभी|हाथ|भाई|मम्मी|पति|बेट|दोस्त|bacch|usko|mujhe|papa|abhi|help|haath|bhai|mummy|pair|पैर|है|hai|gaya|गया',
    'बुखार|शुगर|अस्थमा|दमा|bukhar|sugar|asthma|dama + बेहोश|होश|दौरे|सांस|इनहेलर|काम नहीं|behosh|hosh|daure|saans|inhaler',
    '!आग_लग|आग_लगी|घर_में_आग|धुआं भर|धुआँ भर|aag lag|ghar me aag|dhua bhar + घर|फंस|मदद|बच|किचन|अभी|बिल्डिंग|ghar|phas|help|bacha|kitchen|abhi|building|है|hai',
  ],
  violence: [
    '!मार_रहा|मार रहे|मार_रही|पीट_रह|पीटता|पीटा|मारता|गला_दबा|गला_घोंट|बलात्कार|रेप_कर|धमकी|धमका|हमला_कर|चाकू_मार|छेड़ रह|जबरदस्ती|maar rah|mar raha|maar raha|peet rah|pit rah|gala daba|rape kar|dhamki|dhamka|hamla kar|chaku maar|ched rah|jabardasti|zabardasti|maarpeet|marpit|मारपीट + मुझे|मुझ|हमें|मम्मी|मां|माँ|बहन|पत्नी|उसे|लोग|पड़ोस|बच्च|मेरी|mujhe|muje|hame|mummy|maa |behen|usko|log |padosan|bacch|meri|mere',
    '!जान_से_मार|मार_डाल|मार देगा|मार_देगा|मुझे_मारने|jaan se maar|maar dal|mar dal|maar dega|mar dega|mujhe maarne',
    '!चाकू|बंदूक|पिस्तौल|तलवार|हथियार|कुल्हाड़ी|कट्टा|बम |chaku|chaaku|bandook|banduk|pistol|talwar|hathiyar|gun |katta|bomb + आदमी|लेकर|कोई|पति|लड़का|हाथ|बाहर|घुस|धमक|लोग|पड़ोसी|aadmi|lekar|leke|koi|pati|ladka|haath|bahar|ghus|log |padosi|ke sath|दिखा',
    '!दरवाजा_तोड़|दरवाज़ा_तोड़|खिड़की_तोड़|darwaza tod|darwaja tod|khidki tod',
    '!गोली_चल|गोलियां_चल|गोलीबारी|फायरिंग|बंधक|अपहरण_कर|किडनैप_कर|घर_में_घुस|चोर_घुस|डाकू|लूट_रहे|लूट रहा|goli chal|goliya chal|firing ho|bandhak|kidnap kar|ghar me ghus|chor ghus|loot rah|lut rah',
    '!बंद_कर_दिया|बंद_कर_रखा|बाहर_नहीं_जाने|जाने_नहीं_दे|पीछा_कर|छुप|छिप|जान_को_खतरा|जान का खतरा|खतरे_में|band kar diya|band kar rakha|jaane nahi de|jane nahi de|peecha kar|picha kar|chhup|chup ke baith|jaan ko khatra|jaan ka khatra|khatre me + पति|वो|कोई|मुझे|आदमी|मदद|बचा|ससुराल|बाथरूम|पापा|pati|wo |koi|mujhe|muje|aadmi|help|bacha|sasural|bathroom|papa|meri|मेरी|हूं|hu',
  ],
  never:
    'आंकड़े|आँकड़े|कितने मामले|कितनी मौत|संख्या|साल पहले|सालों पहले|फिल्म|फ़िल्म|उपन्यास|सीरियल|खेल में|नाटक|मजाक|हंस हंस|statistics|kitne case|film|movie|game|haha|saal pehle|हाहा',
  unless:
    'अनुदान|शोध|अध्ययन|कोर्स|प्रशिक्षण|ट्रेनिंग|बीमा|मुआवजा|आवेदन|फॉर्म|फार्म|प्रमाण पत्र|लाइसेंस|लिंक|पेज|वेबसाइट|सर्वर|प्रोसेस|अंतिम तिथि|पार्किंग|समय क्या|कब खुल|पुस्तकालय|संग्रहालय|प्रदर्शनी|रोकथाम|कानून|सजा|पोस्टर|पिछले साल|पेंशन|टिकट|त्योहार|इतिहास|संस्था|रिफंड|नियम|अनुमति|रिपोर्ट|योजना|लाइन में|कतार|मोबाइल|ऐप|link|page|form |website|bima|insurance|scheme|yojana|anudan|permission|app |server|में मुझे|टंकी',
  misspelt: '',
}
