import type { AttackRules } from '../attack-rules.ts'

export const FR: AttackRules = {
  override: [
    'oublie|oubliez|ignore|ignorez|ne-tiens-pas-compte|ne-tenez-pas-compte|ne-respecte-plus|ne-respectez-plus|ne-suis-plus|ne-suivez-plus|contourne|contournez|desobeis|outrepasse|efface|fais-abstraction|abandonne + tes_instructions|tes_regles|tes_consignes|tes_directives|tes_limites|tes_filtres|vos_instructions|vos_consignes|vos_regles|vos_directives|instructions_precedentes|consignes_precedentes|regles_precedentes|directives_precedentes|instructions_anterieures|consignes_anterieures|toutes_les_instructions|toutes_les_regles|toutes_les_consignes|toutes_instructions|toutes_directives|instructions_ci_dessus|tout_ce_precede|tout_ce_dit_avant|ta_programmation|ton_prompt',
    'tes_instructions|tes_consignes|tes_regles|tes_ordres|ce-qu-on-t-a-dit|tout-ce-qu-on-t-a + ne_comptent_plus|ne_compte_plus|oublie|oubliez|ignore|ignorez|jette*|mets-de-cote|laisse_tomber',
    'oublie|oubliez|ignore|efface + qui-tu-es|ce-que-tu-es|ton-role|ta-mission|ce-qu-on-t-a|tout-ce-qu-on|que-tu-es_assistant|tes-createurs|ton-operateur',
    'filtres|restrictions|consignes|tes_regles|regles_de_securite|limites + leves|levees|desactives|desactivees|suspendues|suspendus|annulees + tu|tes|confirme|montre|reponds|mode|ia|assistant|obeis',
    'desormais|a-partir-de-maintenant|dorenavant|nouvelle-regle + sans_limite*|sans_restriction*|sans_filtre*|sans_censure|aucune_regle|aucune_limite|obeis|ne_refuse_jamais|ne_refuses',
    'tu-n-as-plus|tu-n-as-aucune|tu-es-libre|tu-n-es-plus + regles|regle|limites|restrictions|restriction|filtres|consignes|limite',
  ],
  role_play: [
    'joue-le-role|jouez-le-role|tu-es-maintenant|tu-es-desormais|fais-comme-si-tu|fais-semblant|imagine-que-tu|comporte-toi|agis-comme|reponds-comme|incarne|jeu-de-role|tu-vas-jouer + sans_filtre*|sans_limite*|sans_restriction*|sans_censure|sans_morale|sans_ethique|aucune_regle|aucune_limite|aucun_filtre|rebelle|ne_refuse_jamais|malefique|non-censure*|aucune_restriction|sans_regles',
    'tu-es-maintenant|tu-t-appelles-maintenant + *gpt|dan',
    'mode-developpeur|mode-dieu|mode-debug|mode-administrateur|mode-maintenance + tu|reponds|active|passe|entre|tes',
  ],
  system_prompt: [
    '!affiche|affichez|montre|montrez|repete|repetez|donne|donnez|revele|revelez|ecris|imprime|traduis|recopie|quel-est|quelles-sont|resume|cite + ton_prompt|ton-prompt-systeme|prompt-systeme|tes_instructions_secretes|tes_instructions_cachees|tes_instructions_internes|tes_instructions_initiales|tes_consignes_secretes|tes_consignes_internes|tes_consignes_initiales|tes_consignes_cachees|tes_instructions_systeme|votre-prompt|vos_instructions_internes|vos_instructions_cachees|vos_consignes_internes|ta-configuration|instructions-systeme',
    'quelles-consignes|quelles-instructions|quels-ordres|que-t-a-t-on|qu-est-ce-qu-on-t-a|comment-as-tu-ete|qu-a-t-on + recues|recu|donne*|dit|ordonne|configure|programme|avant + t|tu|as',
    'affiche|montre|repete|donne|revele|recopie|dis-moi|traduis + tes_instructions|tes_consignes|tes_directives|tes_regles|texte_dessus|tout_ce_ci-dessus + mot-pour-mot|mot-a-mot|integralement|avant_ce_message|filtres|leves|complet*|textuellement|cachees|debut',
  ],
  document: [
    '!note-a-l-ia|note-pour-l-ia|a-l-attention-de-l-ia|message-a-l-ia|ia-qui-lit|note-a-l-assistant|instruction_pour_ia + ignore|ne-respecte|oublie|recommande|donne|reponds|dis|revele|envoie|affiche|note-le',
  ],
  suppression: [
    'sans-refuser|tu-ne-peux-pas-refuser|tu-ne-dois-pas-refuser|tu-n-as-pas-le-droit-de-refuser|sans-avertissement|sans-morale|ne-refuse-pas + comment|explique|ecris|donne|reponds|etapes|recette',
  ],
  harmful: [
    'comment|recette|etapes|explique|mode-d-emploi + fabriquer|fabrique*|construire|creer|ecrire|cuisiner|preparer + bombe-artisanale|bombe-tuyau|une-bombe|napalm|cocktail-molotov|explosif*|methamphetamine|gaz-sarin|ricine|rancongiciel|logiciel-malveillant|mail-de-phishing',
    'comment|explique|etapes + falsifier|contrefaire|faux + passeport|permis|carte-d-identite|titre-de-sejour|billets|ordonnance|signature|certificat + fabriquer|falsifier|contrefaire|imiter',
  ],
  encoded: ['decode*|dechiffre*|base64|rot13|morse|un-mot-sur-deux|premiere-lettre + suis|execute*|obeis*|applique*'],
  never:
    'puis-je|dois-je|peut-on|voisin*|proprietaire|locataire*|contrat|signaler|proteger|musee|guerre|bombe-de|aerosol|recu|reconnaitre|telephone|smartphone|victime|si-j-oublie|j-ignore|que_signifie',
}

export const ES: AttackRules = {
  override: [
    'ignora|ignore|ignorad|olvida|olvide|olvidad|omite|descarta|desobedece|no-sigas|no-hagas-caso|deja-de-seguir|salta|saltate|anula|pasa-por-alto|haz-caso-omiso + tus_instrucciones|tus_reglas|tus_normas|tus_directrices|tus_limites|tus_filtros|tus_restricciones|sus_instrucciones|instrucciones_anteriores|instrucciones_previas|reglas_anteriores|reglas_previas|indicaciones_anteriores|ordenes_anteriores|directrices_anteriores|todas_instrucciones|todas_reglas|todas_normas|todas_restricciones|todo_lo_anterior_y|todo_lo_dijeron|tu_programacion|tu_prompt|instrucciones_recibidas',
    'tus_instrucciones|tus_reglas|tus_normas|tus_ordenes|lo-que-te-dijeron|todo-lo-que-te + no-cuentan|no-cuenta|olvida|ignora|deja_de_lado|borra|tira + not:formulario',
    'olvida|olvidate|ignora|borra + quien-eres|lo-que-eres|tu-papel|tu-rol|tu-mision|lo-que-te-dijeron|todo-lo-que-te|que-eres_asistente|tus-creadores',
    'a-partir-de-ahora|desde-ahora|de-ahora-en-adelante|nueva-regla|nueva-norma + sin_restricciones|sin_limites|sin_filtros|sin_censura|sin_reglas|obedece|nunca_niegues|no_te_niegues|ninguna_regla',
    'filtros|restricciones|tus_normas|tus_reglas|modo-sin-filtros|medidas_de_seguridad + desactivad*|activado|levantad*|suspendid*|anulad* + obedece|responde|confirma|usuario|sistema|tus|muestra',
    'ya-no-tienes|no-tienes|eres-libre|estas-libre + reglas|limites|restricciones|filtros|normas|censura + ninguna|ningun|ya|libre|ahora|mas',
  ],
  role_play: [
    'eres-ahora|ahora-eres|actua-como|actua|finge|finge-ser|imagina-que-eres|haz-de|haz-el-papel|interpreta|comportate|responde-como|juego-de-rol|simula + sin_filtros|sin_filtro|sin_moral|sin_restricciones|sin_limites|sin_reglas|sin_censura|sin_etica|malvad*|rebelde|nunca_se_niega|ninguna_regla|no_tiene_reglas|no-tienes-reglas',
    'eres-ahora|ahora-eres + *gpt|dan',
    'modo-desarrollador|modo-dios|modo-depuracion|modo-administrador + activa|entra|responde|tus|eres|ahora-estas|respondes',
  ],
  system_prompt: [
    '!muestra*|ensena*|repite|imprime|revela|escribe|dame|dime|traduce|copia|cual-es|cuales-son|resume|cita + prompt-del-sistema|prompt-de-sistema|tu-prompt|tu_prompt|tus_instrucciones_ocultas|tus_instrucciones_secretas|tus_instrucciones_internas|tus_instrucciones_iniciales|tus_instrucciones_completas|tus_instrucciones_originales|tus_reglas_ocultas|tus_reglas_internas|tu-configuracion|instrucciones-del-sistema|sus_instrucciones_internas|sus_instrucciones_ocultas',
    'que-instrucciones|que-ordenes|que-reglas|que-te + te-dieron|te_han_dado|recibiste|has-recibido|dijeron|ordenaron|te-dio-el-operador',
    'muestra*|repite|traduce|dime|escribe|imprime + todo-lo-que|texto|palabras|instrucciones + te_dijeron|te-dieron|te_han_dado|te_han_dicho|recibiste + antes_de_este|antes_de_esta|antes-de-mi|antes_mensaje|al-principio|literal*|palabra-por-palabra',
    'muestra*|repite|imprime|dime + tus_instrucciones|tus-reglas + palabra-por-palabra|literal*|poema|textual*|exactas|codigo',
  ],
  document: [
    '!nota-para-la-ia|nota-a-la-ia|mensaje-para-la-ia|instrucciones-para-la-ia|la-ia-que-lea|nota-para-el-asistente + ignora|olvida|recomienda|di|revela|responde|envia|no-respetes|muestra',
  ],
  suppression: [
    'sin-negarte|no-puedes-negarte|no-te-niegues|sin-rechazar|no-debes-negarte|sin-advertencias|sin-sermones + como|escribe|explica|dame|responde|pasos|receta|correo',
  ],
  harmful: [
    'como|receta|pasos|instrucciones + fabricar|fabrico|hacer|hago|construir|cocinar|crear|escribe|escribir + bomba-casera|bomba-de-tubo|napalm|coctel-molotov|explosivo*|metanfetamina|gas-sarin|ransomware|malware|phishing-perfecto|correo-de-phishing',
    'como|pasos|explica + falsificar|falsifico|falsifica + pasaporte|permiso|carnet|dni|billetes|receta|firma|certificado',
  ],
  encoded: ['decodifica*|descifra*|base64|rot13|morse|cada-segunda-palabra + obedece|sigue|ejecuta*|cumple'],
  never:
    'puedo|debo|vecin*|casero|inquilin*|contrato|denunci*|proteger*|museo|guerra|he-recibido|recibi|bomba-de-calor|bomba-de-agua|telefono|movil|en-la-app|victima|significa|reconocer',
}

export const IT: AttackRules = {
  override: [
    'ignora|ignori|ignorate|dimentica|dimentichi|trascura|non-seguire|non-rispettare|disobbedisci|smetti-di-seguire|aggira|scarta|annulla|tralascia + tue_istruzioni|tue_regole|tue_direttive|tue_linee_guida|tuoi_limiti|tuoi_filtri|tue_restrizioni|sue_istruzioni|istruzioni_precedenti|regole_precedenti|direttive_precedenti|indicazioni_precedenti|precedenti_istruzioni|tutte_istruzioni|tutte_regole|regole_che_ti_hanno|istruzioni_che_ti_hanno|istruzioni_ricevute|tutto_cio_ti_detto|tutto_quello_ti_hanno|tuo_prompt',
    'tue_istruzioni|tue_regole|tuoi_ordini|quello-che-ti-hanno|cio-che-ti-hanno|tutto-quello-che-ti + non_contano|non_conta|dimentica|ignora|lascia_perdere|metti-da-parte|cancella',
    'dimentica|dimenticati|ignora|cancella + chi-sei|cosa-sei|tuo-ruolo|tuo-compito|tutto-quello-che-ti|cio-che-ti-hanno|di-essere_assistente',
    'd-ora-in-poi|da-ora-in-poi|da-adesso|da-questo-momento|nuova-regola + senza_limiti|senza_restrizioni|senza_filtri|senza_censura|senza_regole|obbedisci|non_rifiutare|nessuna_regola',
    'filtri|restrizioni|tue_regole|tue_istruzioni|regole_di_sicurezza + disattivat*|sospes*|revocat*|annullat*|rimoss* + tu|tue|tuoi|rispondi|conferma|mostra|sistema|modalita',
    'non-hai-piu|sei-libero-da|non-sei-piu-vincolato|non-hai + regole|limiti|restrizioni|filtri|vincoli|censura + piu|alcun*|libero|ora',
  ],
  role_play: [
    'fingi|fai-finta|sei-ora|ora-sei|agisci-come|comportati|immagina-di-essere|interpreta|recita|rispondi-come|gioco-di-ruolo|simula + senza_censura|senza_filtri|senza_regole|senza_limiti|senza_morale|senza_etica|senza_restrizioni|malvagi*|ribelle|non_rifiuta_mai|nessuna_regola|cattiv*_gemello|gemello_cattivo',
    'sei-ora|ora-sei|ti-chiami-ora + *gpt|dan',
    'modalita-sviluppatore|modalita-dio|modalita-debug|modalita-amministratore + attiva|entra|rispondi|tue|sei|passa',
  ],
  system_prompt: [
    '!mostra*|ripeti|stampa|rivela*|scrivi*|dammi|dimmi|traduci|copia|qual-e|quali-sono|riassumi|elenca + prompt-di-sistema|tuo-prompt|prompt-del-sistema|tue_istruzioni_segrete|tue_istruzioni_nascoste|tue_istruzioni_interne|tue_istruzioni_iniziali|tue_istruzioni_originali|tue_istruzioni_complete|tue_regole_interne|tue_regole_nascoste|tua-configurazione|istruzioni-di-sistema|sue_istruzioni_interne',
    'quali-istruzioni|che-istruzioni|quali-ordini|che-cosa-ti|cosa-ti + ti-hanno-dato|hai-ricevuto|ti-hanno-detto|hanno-ordinato|ti-ha-dato|hanno-detto_prima',
    'mostra*|ripeti|stampa|dimmi|traduci|scrivi + tue_istruzioni|tue-regole|tutto-quello-che|tutto-cio-che|testo_sopra + parola-per-parola|letteralmente|prima_di_questo|prima_del_mio|poesia|alla-lettera|ti_hanno_detto_prima',
  ],
  document: [
    '!nota-per-l-ia|nota-all-ia|messaggio-per-l-ia|nota-per-l-assistente|ia-che-legge|istruzioni-per-l-ia + ignora|dimentica|raccomanda|consiglia|di|rivela|rispondi|non-rispettare|mostra',
  ],
  suppression: [
    'senza-rifiutare|senza-rifiutarti|non-puoi-rifiutare|non-puoi-rifiutarti|non-devi-rifiutare|senza-avvertenze|senza-moralismi + come|scrivi|spiega|dammi|rispondi|passi|ricetta',
  ],
  harmful: [
    'come|ricetta|passi|istruzioni + costruire|costruisco|fabbricare|creare|fare|preparare|cucinare|scrivi + bomba-artigianale|bomba-tubo|napalm|bomba-molotov|esplosivo|metanfetamina|ransomware|malware|email-di-phishing',
    'come|passi|spiega + falsificare|falsifico|contraffare + passaporto|permesso|patente|carta-d-identita|banconote|ricetta|firma|certificato',
  ],
  never:
    'posso|devo|vicin*|padrone-di-casa|inquilin*|contratto|segnal*|denunci*|protegg*|museo|guerra|ricevuto|telefono|cellulare|significa|riconoscere|vittima',
}

export const PT: AttackRules = {
  override: [
    'ignore|ignora|ignorem|esqueca|esquece|desconsidere|desconsidera|desobedeca|nao-sigas|nao-siga|deixe-de-seguir|descarte|anule|contorne|passe-por-cima + suas_instrucoes|suas_regras|suas_diretrizes|seus_limites|seus_filtros|suas_restricoes|tuas_instrucoes|tuas_regras|instrucoes_anteriores|regras_anteriores|ordens_anteriores|diretrizes_anteriores|instrucoes_previas|todas_instrucoes|todas_regras|todas_restricoes|tudo_que_lhe_disseram|tudo_que_disseram|tudo_o_que_te|sua_programacao|seu_prompt|instrucoes_recebidas|instrucoes_acima',
    'suas_instrucoes|suas_regras|tuas_instrucoes|tuas_regras|o-que-lhe-disseram|o-que-te-disseram|tudo-o-que-te + nao_contam|nao_conta|esqueca|esquece|ignora|ignore|deixa_de_lado|apaga',
    'esqueca|esquece|ignore|ignora|apaga + quem-voce-e|quem-es|o-que-voce-e|seu-papel|teu-papel|tudo-o-que-te|tudo-que-te|o-que-te-disseram|que-es_assistente',
    'a-partir-de-agora|de-agora-em-diante|doravante|nova-regra + sem_restricoes|sem_limites|sem_filtros|sem_censura|sem_regras|obedeca|nunca_recuse|nao_recuse|nenhuma_regra',
    'filtros|restricoes|suas_regras|suas_instrucoes|regras_de_seguranca + desativad*|suspens*|revogad*|anulad*|levantad*|removid* + voce|suas|seus|responda|confirme|mostre|sistema|modo',
    'voce-nao-tem|voce-ja-nao-tem|nao-tens|voce-esta-livre|voce_nao_tem_mais + regras|limites|restricoes|filtros|censura + mais|nenhum*|livre|agora|ja',
  ],
  role_play: [
    'finja|finge|voce-agora-e|agora-voce-e|agora-es|aja-como|atue-como|age-como|comporte-se|imagine-que-voce|interprete|responda-como|faca-de-conta|simule|faz-de-conta|jogo-de-papeis + sem_filtros|sem_filtro|sem_regras|sem_limites|sem_moral|sem_etica|sem_restricoes|sem_censura|malign*|rebelde|nunca_recusa|nenhuma_regra|nao_tem_regras|gemeo_mau',
    'voce-agora-e|agora-voce-e|agora-es + *gpt|dan',
    'modo-desenvolvedor|modo-programador|modo-deus|modo-depuracao|modo-administrador + ative|ativa|entre|entra|responda|suas|voce|passe',
  ],
  system_prompt: [
    '!mostre*|mostra*|repita|repete|imprima|imprime|revele|revela|escreva|diga-me|diz-me|traduza|copie|qual-e|quais-sao|resuma|liste + prompt-do-sistema|prompt-de-sistema|seu-prompt|teu-prompt|seu_prompt|suas_instrucoes_secretas|suas_instrucoes_ocultas|suas_instrucoes_internas|suas_instrucoes_iniciais|suas_instrucoes_originais|suas_instrucoes_completas|suas_regras_internas|sua-configuracao|instrucoes-do-sistema|tuas_instrucoes_ocultas|tuas_instrucoes_internas|tuas_instrucoes_secretas',
    'que-instrucoes|quais-instrucoes|que-ordens|que-regras + te-deram|lhe-deram|recebeste|voce-recebeu|te-disseram|foram-dadas',
    'mostre|repita|imprima|diga|traduza|escreva + suas_instrucoes|suas-regras|tudo-o-que|texto_acima + palavra-por-palavra|literal*|antes_desta|antes_da_minha|poema|na-integra|lhe_disseram_antes',
  ],
  document: [
    '!nota-para-a-ia|nota-a-ia|mensagem-para-a-ia|nota-para-o-assistente|ia-que-le|instrucoes-para-a-ia + ignore|esqueca|recomende|diga|revele|responda|nao-respeite|mostre|envie',
  ],
  suppression: [
    'sem-recusar|nao-pode-recusar|voce-nao-pode-recusar|nao-se-recuse|sem-avisos|sem-sermoes|sem-moralismo + como|escreva|explique|responda|passos|receita',
  ],
  harmful: [
    'como|receita|passos|instrucoes + fabricar|fabrico|construir|fazer|faco|cozinhar|criar|escreva + bomba-caseira|bomba-de-cano|napalm|coquetel-molotov|cocktail-molotov|explosivo*|metanfetamina|ransomware|malware|email-de-phishing|e-mail-de-phishing',
    'como|passos|explique + falsificar|falsifico|falsifica + passaporte|carteira|autorizacao|notas|receita|assinatura|certificado|bilhete-de-identidade',
  ],
  never:
    'posso|devo|vizinh*|senhorio|inquilin*|contrato|denunci*|proteger*|museu|guerra|recebi|bomba-de-calor|telefone|celular|telemovel|significa|reconhecer|vitima',
}
