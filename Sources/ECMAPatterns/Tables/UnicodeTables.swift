// Written by GenerateTables.swift from version 15.0.0 of the Unicode Character Database.

/// What the standard library does not tell of Unicode.
///
/// Each line of a table has the names of a property and then, behind a colon, its members as `PackedNumbers`: for each
/// range the gap before it and the number of its members less one.
enum UnicodeTables {
    static let version = "15.0.0"

    /// Script.
    static let scripts = """
        Adlm,Adlam:go6DrCEJEB
        Aghb,Caucasian_Albanian:wphCzBLA
        Ahom,Ahom:g4lCaCOEW
        Arab,Arabic:gwBEBFBNBCBfBJLZBrDBhBwCvBwHeBBGpCBcwy8ByDQqLCvCC1BHAgBPwDEBmEj7De-DCg43BDBaBBBACABJBDBABAGAEABABA\
        BCBBBACABABABABABBBACDBGBDBDBABJBQFCBEBQ0BB
        Armi,Imperial_Aramaic:giiCVBI
        Armn,Armenian:xpBlBCxBCCjs9BE
        Avst,Avestan:g4iC1BDG
        Bali,Balinese:g4GsCDuB
        Bamu,Bamum:g1pB3CoowB4R
        Bass,Bassa_Vah:w26CdCF
        Batk,Batak:g-GzBID
        Beng,Bengali:gsCDBHCBCVBGBADDCICBCDIAEBBECY
        Bhks,Bhaiksuki:ggnCIBsBBNKc
        Bopo,Bopomofo:qXB5wLqBwDf
        Brah,Brahmi:ggkCtCEjBJA
        Brai,Braille:ggK_H
        Bugi,Buginese:gwGbCB
        Buhd,Buhid:g6FT
        Cakm,Chakma:gokC0BBR
        Cans,Canadian_Aboriginal:ggF_TwRlC6tgCP
        Cari,Carian:g1gCwB
        Cham,Cham:gwqB2BJNCJCD
        Cher,Cherokee:g9E1CCFy7lBvC
        Chrs,Chorasmian:w9jCb
        Copt,Coptic,Qaac:ifNwkKzDFG
        Cpmn,Cypro_Minoan:w8rCiD
        Cprt,Cypriot:ggiCFCABrBBBDACA
        Cyrl,Cyrillic:ggBkECoFw6FIiFAsCAnjEfgie_Cu8VBgw4B9BhBA
        Deva,Devanagari:goCwCEOCZg7nBfgwcJ
        Diak,Dives_Akuru:gomCGCACHBBBdBBCLJJ
        Dogr,Dogra:ggmC7B
        Dsrt,Deseret:gghCvC
        Dupl,Duployan:ggvDqDFMDIHJCD
        Egyp,Egyptian_Hieroglyphs:ggsC1iB
        Elba,Elbasan:gohCnB
        Elym,Elymaic:g_jCW
        Ethi,Ethiopic:gwEoCBDCGBABDCoBBDCgBBDCGBABDCOB4BBDCiCCfDZmvGWJGBGBGBGBGBGBGBGipfFCFCFJGBGxlvCGBDBBBO
        Geor,Georgian:glElBBAFACqBBDw8CqBCCgiElBBAFA
        Glag,Glagolitic:ggL_Cg9sDGBQCGBBBE
        Gong,Gunjala_Gondi:grnCFBBBkBBBBFHJ
        Gonm,Masaram_Gondi:gonCGBBBrBDABBBIIJ
        Goth,Gothic:w5gCa
        Gran,Grantha:g4kCDBHCBCVBGBBBECICBCCCAGAFGCGDE
        Grek,Greek:wbDBCCDBAEABABCBABTB-BOPmpGEyBEEE0CAgKVCFClBCFCHBABABABeC0BBOBNCFBSCCBInJA-xiBA6uVuCRA_i0BlC
        Gujr,Gujarati:h0CCBIBCBVBGBBBECJBCBCCAPDCLHG
        Guru,Gurmukhi:hwCCBFEBCVBGBBBBBBCABEEBCCDAHDBAHQ
        Hang,Hangul:goE_HuxHBhI9CxDehCeh3dcjUj9KMWEwBk9JeDFCFCFCC
        Hani,Han:g0LZB4CM1GvBABAZIODke_tGgC_vUgoWtLCpDoodBMBugkB_2pBgB5hEG9GCh0FOwpH_gD9QivBq6EF_iE
        Hano,Hanunoo:g5FU
        Hatr,Hatran:gniCSBBFE
        Hebr,Hebrew:xsB2BIaEFop9BZBEBABBBBBJ
        Hira,Hiragana:hiM1CGCh7_C-ISAdCtlQA
        Hluw,Anatolian_Hieroglyphs:ggxCmS
        Hmng,Pahawh_Hmong:g46ClCKJBGBUFS
        Hmnp,Nyiakeng_Puachue_Hmong:go4DsBDNCJEB
        Hung,Old_Hungarian:gkjCyBNyBHF
        Ital,Old_Italic:g4gCjBJC
        Java,Javanese:gsqBtCCJEB
        Kali,Kayah_Li:goqBtBBA
        Kana,Katakana:hlM5CCCwHPwGuBB3CugzBJBsByisBDBGBBBA_ICyBAOD
        Kawi,Kawi:g4nCQBoBDb
        Khar,Kharoshthi:gwiCDBBFHBCBcCCEJHI
        Khmr,Khmer:g8F9CCJGJmPf
        Khoj,Khojki:gwkCRBuB
        Kits,Khitan_Small_Script:k_7CA74G1O
        Knda,Kannada:gkDMBCBWBJBECIBCBDHBGBBDCJBC
        Kthi,Kaithi:gkkCiCKA
        Lana,Tai_Tham:gxG-BBcCKGJGN
        Laoo,Lao:h0DBBABEBXBABWCEBABGBJCD
        Latn,Latin:hCZGZvBAPAFWBeBgOnBE7wGlBGwBFDFMBlChC_HxLANAQMtEBGAbARoB32Cfi1elDD_BFBBABEYNwZqBBIBD28TG6gBZGZlhCFB\
        pBBIl61BeGF
        Lepc,Lepcha:ggH3BDODC
        Limb,Limbu:goGeBLELEADL
        Lina,Linear_A:gwhC2JJVKH
        Linb,Linear_B:gggCLBZBSBBBOCNiB6D
        Lisu,Lisu:wmpBvBw1eA
        Lyci,Lycian:g0gCc
        Lydi,Lydian:gpiCZFA
        Mahj,Mahajani:wqkCmB
        Maka,Makasar:g3nCY
        Mand,Mandaic:giCbCA
        Mani,Manichaean:g2iCmBEL
        Marc,Marchen:wjnCfCVBN
        Medf,Medefaidrin:gy7C6C
        Mend,Mende_Kikakui:gg6DkGCP
        Merc,Meroitic_Cursive:gtiCXETCtB
        Mero,Meroitic_Hieroglyphs:gsiCf
        Mlym,Malayalam:goDMBCByBBCBFEPCZ
        Modi,Modi:gwlCkCLJ
        Mong,Mongolian:ggGBCABTG4CHqB1t_BM
        Mroo,Mro:gy6CeBJEB
        Mtei,Meetei_Mayek:g3qBWpGtBCJ
        Mult,Multani:g0kCGBABDBOBK
        Mymr,Myanmar:ggE_EgqmBehDf
        Nagm,Nag_Mundari:wm5DpB
        Nand,Nandinagari:gtmCHCtBCK
        Narb,Old_North_Arabian:g0iCf
        Nbat,Nabataean:gkiCeII
        Newa,Newa:gglC7CBE
        Nkoo,Nko:g-B6BCC
        Nshu,Nushu:h_7CAusQrM
        Ogam,Ogham:g0Fc
        Olck,Ol_Chiki:wiHvB
        Orkh,Old_Turkic:ggjCoC
        Orya,Oriya:h4CCBHCBCVBGBBBECICBCCHCEBBECR
        Osge,Osage:wlhCjBEjB
        Osma,Osmanya:gkhCdCJ
        Ougr,Old_Uyghur:w7jCZ
        Palm,Palmyrene:gjiCf
        Pauc,Pau_Cin_Hau:g2mC4B
        Perm,Old_Permic:w6gCqB
        Phag,Phags_Pa:giqB3B
        Phli,Inscriptional_Pahlavi:g7iCSFH
        Phlp,Psalter_Pahlavi:g8iCRHDMG
        Phnx,Phoenician:goiCbDA
        Plrd,Miao:g47CqCE4BHQ
        Prti,Inscriptional_Parthian:g6iCVCH
        Rjng,Rejang:wpqBjBLA
        Rohg,Hanifi_Rohingya:gojCnBIJ
        Runr,Runic:g1FqCDK
        Samr,Samaritan:ggCtBCO
        Sarb,Old_South_Arabian:gziCf
        Saur,Saurashtra:gkqBlCIL
        Sgnw,SignWriting:gg2DrUPEBO
        Shaw,Shavian:wihCvB
        Shrd,Sharada:gskC_C
        Sidd,Siddham:gslC1BClB
        Sind,Khudawadi:w1kC6BFJ
        Sinh,Sinhala:hsDCBRDXBIBACGDAEFBABHGJCCs_gCT
        Sogd,Sogdian:w5jCpB
        Sogo,Old_Sogdian:g4jCnB
        Sora,Sora_Sompeng:wmkCYHJ
        Soyo,Soyombo:wymCyC
        Sund,Sundanese:g8G_BgIH
        Sylo,Syloti_Nagri:ggqBsB
        Syrc,Syriac:g4BNB7BCCwIK
        Tagb,Tagbanwa:g7FMBCBB
        Takr,Takri:g0lC5BGJ
        Tale,Tai_Le:wqGdCE
        Talu,New_Tai_Lue:gsGrBEZGKDB
        Taml,Tamil:i8CBBFDCBDDBBABBDBDCDLEEDCBDCAGAOUl-kCxBNA
        Tang,Tangut:g_7CAf3_FI_XgQI
        Tavt,Tai_Viet:g0qBiCYE
        Telu,Telugu:ggDMBCBWBPCIBCBDHBBCCACDCJHI
        Tfng,Tifinagh:wpL3BHBOA
        Tglg,Tagalog:g4FVJA
        Thaa,Thaana:g8BxB
        Thai,Thai:hwD5BFb
        Tibt,Tibetan:g4DnCBjBEmBBjBBOBGEB
        Tirh,Tirhuta:gklCnCIJ
        Tnsa,Tangsa:wz6CuCBJ
        Toto,Toto:w04De
        Ugar,Ugaritic:g8gCdBA
        Vaii,Vai:gopBrJ
        Vith,Vithkuqi:wrhCKBOBGBBBKBOBGBB
        Wara,Warang_Citi:glmCyCMA
        Wcho,Wancho:g24D5BFA
        Xpeo,Old_Persian:g9gCjBEN
        Xsux,Cuneiform:ggoC5cmDuDBELjG
        Yezi,Yezidi:g0jCpBBCCB
        Yiii,Yi:ggoBskBD2B
        Zanb,Zanabazar_Square:gwmCnC
        Zinh,Inherited,Qaai:gYvD1IBkOKaAgXD7qEehQCBMBGEAGADBmG_BsQBiGgB55DDrDBlrzBPQNveAiHA6iEAk-uBtBCWgRCRHCGeDy6rYvH
        Zyyy,Common:AgCaFauBBOBEXAfAhOmBFECT0DAJAGABA9TAGAOADAgBA8EAkQAhEB5mBA1MDiJAvvBCnCBrGBBAtmBANAHDBFBCCAlYLC2CBK\
        DKBORgB_BlBBCCFBaBQpBCE2UZKV_cgIzTCfBoDgQ9CyMLEEBABYPHED7CBDA6CBzEPgBjB8B_BfwCvBA4CnFguG_BgoWhBmDClFJ0HAgFArMA\
        OByuUBwGJWiBBSBDzEABfaFaKKAtBBgCGBGKEiICEsBDIwCMzBsBkHaktuBDs1EzD8B1HKmBC9BDQIBHdE8B1GTMTM2CJYnE0CBmCBBCACBCDB\
        LBABGBgCBDCHBGBbBDBEBADGBzKCjJCxBxjFjCsC8BiWrBEjDMOCOBOBkBKtF4BZBBNrBEIHBOF6E3eEQDMD2DE-CGLEAPLE3BIJGnBIdCBuCz\
        KMNCMDIHtBBGINEIHIHyEB2BlBJnghYAe_C
        """

    /// Script_Extensions, where it differs from Script.
    static let scriptExtensions = """
        Adlm,Adlam:_wBAgBA_14DrCEJEB
        Arab,Arabic:gwBEB2GBhBwCvBwHeBBGpCBcwy8ByDQ8NC1BHAgBPwDEBmEjfbk7Ce-DCg43BDBaBBBACABJBDBABAGAEABABABCBBBACABABA\
        BABABBBACDBGBDBDBABJBQFCBEBQ0BB
        Beng,Bengali:xqCBRBaDBHCBCVBGBADDCICBCDIAEBBECYx2EABACBBAIAIACAEACC5_iBA
        Bopo,Bopomofo:qXB1oLCEJBMKDCAGAjGAJqBwDflkzBB6IE
        Bugi,Buginese:gwGbCBv9jBA
        Buhd,Buhid:15FBJT
        Cakm,Chakma:mvCJwyBJ2lgC0BBR
        Copt,Coptic,Qaac:ifNwkKzDFGgv1Bb
        Cpmn,Cypro_Minoan:gogCBu0LiD
        Cprt,Cypriot:gogCCEsBDIg2BFCABrBBBDACA
        Cyrl,Cyrillic:ggBvJw6FIiFAsCA_DAn_DfjCA8_d_Cu8VBgw4B9BhBA
        Deva,Devanagari:goCyCCqBw6EmBBB2fA_5hBJmFfgwcJ
        Dogr,Dogra:krCLg2nBJm-b7B
        Dupl,Duployan:ggvDqDFMDIHJCH
        Geor,Georgian:glElBBAFACvBw8CqBCCgiElBBAFA
        Glag,Glagolitic:kkBACA47J_CjPArheAwsuCGBQCGBBBE
        Gong,Gunjala_Gondi:krCB6_kCFBBBkBBBBFHJ
        Gonm,Masaram_Gondi:krCB68kCGBBBrBDABBBIIJ
        Gran,Grantha:xqCBRBgUN8mEABBeCDB2fAvw8BDBHCBCVBGBBBEBJCBCCCAGAFGCGDE7iDBBA
        Grek,Greek:iaACAqBDBCCDBAEABABCBABTB-BOPmpGEyBEEE0CC-JVCFClBCFCHBABABABeC0BBOBNCFBSCCBInJA-xiBA6uVuCRA_i0BlC
        Gujr,Gujarati:xqCBRB7ICBIBCBVBGBBBECJBCBCCAPDCLHGwpnBJ
        Guru,Gurmukhi:xqCBRB7ECBFEBCVBGBBBBBBCABEEBCCDAHDBAHQ5tnBJ
        Hang,Hangul:goE_HhwHCEJBMOCGAjGA1B9CxDehCeh3dcjUj9KMWEwBpyJB6IE6BeDFCFCFCC
        Hani,Han:g0LZB4CM1GrBCBMBMBMCAGI7FA0EPgBjB8BnB4BwBPLzBA4CYKEgDeB_tGgC_vUg4BH4vUtLCpDrbB6IE8jcBMBu7YR-2HButD_2p\
        BgB5hEG9GCh0FOwpH_gD9QivBq6EF_iE
        Hano,Hanunoo:g5FW
        Hira,Hiragana:hgMCEJBMQFBAEBD1CCH6CBoqzBB6IEKAtBBhjsB-ISAdCtlQA
        Java,Javanese:gsqBtCBKEB
        Kali,Kayah_Li:goqBvB
        Kana,Katakana:hgMCEJBMQFBAEB7CDD_CwHPwGuBB3Ct3yBB6I-BwisBDBGBBBA_ICyBAOD
        Khoj,Khojki:m3CJgqnBJmuaRBuB
        Knda,Kannada:xqCBRB6YMBCBWBJBECIBCBDHBGBBDCJBC8-DABAHAXABA75iBF
        Kthi,Kaithi:mrCJg2nBJmiaiCKA
        Latn,Latin:hCZGZvBAPAFWBeBgOnBE-DM1IBqmBBo9BAkgDlBGwBFDFMBlChC_HvJAhCANAQMzCA5BBGAbARoB32Cfg0eHalDD_BFBBABEYNu\
        JAhQqBBIBD28TG6gBZGZlhCFBpBBIl61BeGF
        Limb,Limbu:lrCA68DeBLELEADL
        Lina,Linear_A:nogCsBsmB2JJVKH
        Linb,Linear_B:gggCLBZBSBBBOCNiB6DFCEsBDI
        Mahj,Mahajani:krCLg2nBJ2oamB
        Mand,Mandaic:gyBA_PbCA
        Mani,Manichaean:gyBA_jhCmBEL
        Mlym,Malayalam:xqCBRB6cMBCByBBCBFEPCZ66DA16iBC
        Modi,Modi:whqBJmubkCLJ
        Mong,Mongolian:ggGZG4CHqBk8BAwx9BM
        Mult,Multani:mzCJwgiCGBABDBOBK
        Mymr,Myanmar:ggE_EukmBAxFehDf
        Nand,Nandinagari:krCBgcJ5_DAIAHA15iBFqrcHCtBCK
        Nkoo,Nko:swBAOADAgN6BCC-p9BB
        Orya,Oriya:xqCBRB7MCBHCBCVBGBBBECICBCCHCEBBECRirEAXA
        Ougr,Old_Uyghur:gyBAxlhCA9jBZ
        Perm,Old_Permic:jkBAs2_BqB
        Phag,Phags_Pa:igGBBA6hkB3B
        Phlp,Psalter_Pahlavi:gyBA_phCRHDMG
        Rohg,Hanifi_Rohingya:swBAOADAgBAzEArxhCnBIJ
        Shrd,Sharada:xqCAl8EABACBCA_k9B_C
        Sind,Khudawadi:krCBq2nBJ2za6BFJ
        Sinh,Sinhala:krCB7gBCBRDXBIBACGDAEFBABHGJCCs_gCT
        Sogd,Sogdian:gyBAvniCpB
        Sylo,Syloti_Nagri:krCBgEJwwnBsB
        Syrc,Syriac:swBAOBCAgBAKKaAvENB7BCCwIKtsFABA
        Tagb,Tagbanwa:15FBpBMBCBB
        Takr,Takri:krCBq2nBJmyb5BGJ
        Tale,Tai_Le:giEJmoCdCE
        Taml,Tamil:xqCBRB8QBBFDCBDDBBABBDBDCDLEEDCBDCAGAOU_mEA4gjBAtwaABA3BBjkDxBNA
        Telu,Telugu:xqCBRB6UMBCBWBPCIBCBDHBBCCACDCJHI6iEAXA
        Tglg,Tagalog:g4FVJAVB
        Thaa,Thaana:swBAOBCAgCJ2IxBgy9BAKA
        Tirh,Tirhuta:xqCBRBs8EA95iBJmibnCIJ
        Yezi,Yezidi:swBAOADAgCJ2giCpBBCCB
        Yiii,Yi:hgMBFJCH_GAk4bskBD2B60WE
        Zinh,Inherited,Qaai:gYhCBBBcwvBB7qEezX1BBABEsQBiGfwo3BPQNveAiozBtBCWgRCRHCGeDy6rYvH
        Zyyy,Common:AgCaFauBBOBEXAfAhOmBFECT0DAJAGABA9TA3GAkQA8qBA1MDy4BCyoCLCgBB0BBKDKBORgB_BlBBCCFBaBQpBCE2UZKV_cgIz\
        TCfBoDgQiCBZyMLEADANANAVAxQXfAxBOMDhFJF_CfAguG_BooWZmDCweAOBk1UJWUCLBSBDzEABfaFaF_DGBGKEyMMzBsBzqzBzD8B1HKmBC9\
        BDQIBHdE8B1GTMTM2CbGnE0CBmCBBCACBCDBLBABGBgCBDCHBGBbBDBEBADGBzKCjJCxBxjFjCsC8BiWrBEjDMOCOBOBkBKtF4BZBBNrBEIXF6\
        E3eEQDMD2DE-CGLEAPLE3BIJGnBIdCBuCzKMNCMDIHtBBGINEIHIHyEB2BlBJnghYAe_C
        """

    /// Binary properties.
    static let properties = """
        Emoji_Component,EComp:jBAGAFJz-HA1GArp3BA2-8BZ7PEwtBDszhY_C
        Extended_Pictographic,ExtPict:pFAEAt8HAMA4GAWA6CFPBvLBMA_CAmCAZKECnGAnHBKAJA6BDBFBLBxDK1DCKBABAGADAGAKBPACAEAB\
        AECBALEtBCJAOAOA0LBvOCTBzBAEA6mBAMA5SABAmrvD_HNCfA8BFMBOACJS4BbOKAUACIBDJxNF9JIpIwB_D0DL1CqBMD4BHKFoBHexCMuBBJ\
        B4NgI9f
        """

    /// Simple case folding: for each family its size, the distance of its first member, and those between members.
    static let caseFamilies = """
        ChCgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBDBgB_lICBgBCBgBCBgBCBgBCBgBCBgBCBgBDBgBsICBgBCBgBCBgBCBgBCBgBCBgBCBgB\
        D7CnXgBCLgBCBgBCBgBCBgBCBgBDBgBmiICBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCCgBCBgB\
        CBgBCBgBCBgBCBgBCBgBCB_tHCgB5DCBBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCEBCCBCC\
        BCDBCCBCCBCCBCCBCCBCCBCCBCDBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCDBCCBCCBCDjGCBy\
        GCBBCCBCCuGCBBCCtGCBtGCBBCDvCCBqGCBrGCBBCCtGCBvGCBhDCBzGCBxGCBBCCjFCCzGCB1GCBiECB2GCBBCCBCCBCC6GCBBCC6GCDBCC6G\
        CBBCC5GCB5GCBBCCBCC7GCBBCEBCD4BDFBBDDBBDDBBCDBCCBCCBCCBCCBCCBCCBCCBCDBCCBCCBCCBCCBCCBCCBCCBCCBDDBBCDBCEBCCBCCB\
        CCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCEBCCBCCBCCBCCBCCBCCBCCBCCBCIrxKCBBCDoxKCB_xKCB_xKCBBCDlCCB\
        nCCBBCCBCCBCCBCCBCC_wKCB8wKCB-wKCKvqpBCFrqpBCEoppBCBkqpBCEkqpBCB3vKCBhqpBCF9vKCMnvKCFjqpBCFqppBCW1opBCByopBEnF\
        0CgBlgHCrBBCCBCEBCFiECBiECBiECC0DCHmBCClBCBlBCBlBCCgCCC_BCB_BCCgBDBgBeCBgBCBgBDBgBgCCBgBCBgBEBgBZjBDCgB2BCBgBC\
        CgBCBgBCBgBDBgBWDBgBwBDCfBCBgBCBgBDBgBPCBgBCBgBDBgB9qHCBgBCBgBCkBICJBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCEHCFBCD\
        BCGwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBwCCBgBCBgBDBgBuiGCBgBDBgBtiGCBgBCBgBCBgBCBgBCBg\
        BCBgBCBgBCBgBCBgBDBgBkiGCBgBCBgBDBgBiiGEBgBiiGBCBgBCBgBCBgBCBgBCBgBCBgBCBgBDBgB8hGCBgBCBgBCBgBCBgBCBgBCxBBDCBk\
        hGCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCKBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCB\
        CCBCCBCCBCCBCCBCCBCCPCBBCCBCCBCCBCCBCCBCCBCDBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCC\
        BCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCDwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCB\
        wBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwB\
        CBwBCBwBCq6CgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjH\
        CBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCBgjHCCgjHCGgjHCDg-CCBg-C\
        CBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-C\
        CBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCBg-CCDg-CCBg-CCBg-C\
        ChVw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBC\
        Bw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw\
        -lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-l\
        BCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBC\
        Bw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBw-lBCBICBICBICBICBICBIDzkCiuiBBCxHkwiBCEm3DCR4xiBCyDBCCBCCBCCBCCBCCBCCBCC\
        BCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBC\
        CBCCBCCBCCBDCB6BCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCMBCCBCCBCCBCCBC\
        CBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCB\
        CCBCCBCCBCCBCCBCCBCCICBICBICBICBICBICBICBICJICBICBICBICBICBICLICBICBICBICBICBICBICBICJICBICBICBICBICBICBICBICJ\
        ICBICBICBICBICBICMICCICCICCICJICBICBICBICBICBICBICBICJqCCBqCCB2CCB2CCB2CCB2CCBkDCBkDCBgECBgECBwDCBwDCB-DCB-DCD\
        ICBICBICBICBICBICBICBICJICBICBICBICBICBICBICBICJICBICBICBICBICBICBICBICJICBICCJCQJCNICBICPICBICEHCOJC_JcCuBQCB\
        QCBQCBQCBQCBQCBQCBQCBQCBQCBQCBQCBQCBQCBQCBQCUBCzZaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBaCBa\
        CBaCBaCBaCBaCBaCx5BwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBC\
        BwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCBwBCxBBCHBCCBC\
        CBCHBCDBCLBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCB\
        CCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCJBCCBCFBCuqeBCCBCCBCCBCCBCEBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCB\
        CCBCCBCCBCCBCCBCUBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCoEBCCBCCBCCBCCBCCBCCBCEBCCBCCBCCBCCBCCBCCBCCBCCBCCBC\
        CBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCCBCLBCCBCDBCCBCCBCCBCCBCFBCFBCCBCCwBCCBCCBCCBCCBCC\
        BCCBCCBCCBCCBCCBCLgdCBBCCBCCBCCBCCBCCBCCBCCBCFBCCBCHBCGBCCBCdBCs5VgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCB\
        gBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCmmBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCB\
        oBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoB\
        CpEoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBC\
        BoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBCBoBC9EnBCBnBCBnBCBnBCBnBCBnBCBnBCBnBCBnBCBnBCBnBCCnBCBnBCBnBCBnBCBnBCBnBCBnBCB\
        nBCBnBCBnBCBnBCBnBCBnBCBnBCBnBCCnBCBnBCBnBCBnBCBnBCBnBCBnBCCnBCBnBCr3BgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCB\
        gCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgC\
        CBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCBgCCu_CgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgB\
        CBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBChsVgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgB\
        CBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCBgBCh1eiBCBiBCBiBCBiB\
        CBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCBiBCB\
        iBCBiBCBiB
        """
}

/// Numbers written with the digits of base64url, five bits at a time from the lowest on; a digit of 32 or more says
/// that another follows.
struct PackedNumbers: Sequence, IteratorProtocol {
    private var digits: Substring.UTF8View

    init(_ text: Substring) { digits = text.utf8 }

    mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let character = digits.popFirst(), let digit = PackedNumbers.value(of: character) {
            value |= (digit & 31) << shift
            if digit < 32 { return value }
            shift += 5
        }
        return nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
